import { Migration } from '@mikro-orm/migrations'

/** The connection that a message is about, so that those of one do not hold up all others. */
export class StreamConnections extends Migration {
  override up (): void {
    this.addSql(`
      -- Null: from before, or no connection was named.
      alter table stream_messages add column connection text;
    `)
  }
}
