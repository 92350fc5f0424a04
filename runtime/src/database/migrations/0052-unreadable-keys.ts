import { Migration } from '@mikro-orm/migrations'

/** Adds the keys of stored secrets that a process cannot open. */
export class UnreadableKeys extends Migration {
  override up (): void {
    this.addSql(`
      -- Null: a hub before this migration, which does not say it.
      alter table processes add column unreadable_keys jsonb;
    `)
  }
}
