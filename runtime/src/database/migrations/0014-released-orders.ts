import { Migration } from '@mikro-orm/migrations'

/** Adds whether an operator gave back the pieces that a failed order keeps reserved. */
export class ReleasedOrders extends Migration {
  override up (): void {
    this.addSql(`
      -- Until it is tried again: another reading of the order reserves nothing.
      alter table orders add column is_released boolean not null default false;
    `)
  }
}
