import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the connection of each message, so that the messages of one connection do not hold up those
 * of all others.
 */
export class StreamConnections extends Migration {
  override up (): void {
    this.addSql(`
      -- Null: from before, or no connection was named.
      alter table stream_messages add column connection text;
    `)
  }
}
