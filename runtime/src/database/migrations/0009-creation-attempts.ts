import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the time until which the shop may still work on an attempt to make an order, although the
 * hub no longer waits for the answer.
 */
export class CreationAttempts extends Migration {
  override up (): void {
    this.addSql(`
      -- Set before the shop is asked. Null: the last attempt was answered.
      alter table orders add column creation_unsure_until timestamptz;
    `)
  }
}
