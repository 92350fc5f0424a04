import { Migration } from '@mikro-orm/migrations'

/** Adds which adapters do not serve in a process. */
export class AwayAdapters extends Migration {
  override up (): void {
    this.addSql(`
      -- Null: a hub before this migration, which does not say it.
      alter table processes add column adapters_away jsonb;
    `)
  }
}
