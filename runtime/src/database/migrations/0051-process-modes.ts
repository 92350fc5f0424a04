import { Migration } from '@mikro-orm/migrations'

/** Adds where a process stores its state. */
export class ProcessModes extends Migration {
  override up (): void {
    this.addSql(`
      -- Null: a hub before this migration, which does not say it.
      alter table processes add column mode text;
    `)
  }
}
