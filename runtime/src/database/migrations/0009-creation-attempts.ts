import { Migration } from '@mikro-orm/migrations'

/**
 * Until when an attempt to make an order in the shop may still be under way there, although nobody
 * waits for its answer any more.
 */
export class CreationAttempts extends Migration {
  override up (): void {
    this.addSql(`
      -- Set before the shop is asked. Null: the last attempt was answered.
      alter table orders add column creation_unsure_until timestamptz;
    `)
  }
}
