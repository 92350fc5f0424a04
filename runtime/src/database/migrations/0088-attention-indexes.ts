import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the indexes with which each look at what needs a person finds dead messages and variants
 * that their shop does not have any more.
 */
export class AttentionIndexes extends Migration {
  override up (): void {
    this.addSql(`
      create index stream_messages_dead on stream_messages (stream, id) where stream like '%.dead';
      create index variants_missing on variants (id) where missing_at is not null;
    `)
  }
}
