import { Migration } from '@mikro-orm/migrations'

/** Adds which request of the browser ended an authorisation. */
export class ReturnRequests extends Migration {
  override up (): void {
    this.addSql(`
      -- SHA-256 of its query. Null: none has, or a hub before this migration ended it.
      alter table authorisation_returns add column ended_by text;
    `)
  }
}
