import { Migration } from '@mikro-orm/migrations'

/** Keeps the quantity that a marketplace showed while it might still show an earlier state. */
export class LagReadings extends Migration {
  override up (): void {
    this.addSql(`
      -- They say something only while they are younger than the last write of the quantity.
      alter table offers add column lag_quantity integer;
      alter table offers add column lag_read_at timestamptz;
    `)
  }
}
