import { Migration } from '@mikro-orm/migrations'

/**
 * Adds when an order ended, and when the data of its buyer were removed, and an index that finds
 * old batches.
 */
export class PersonalData extends Migration {
  override up (): void {
    this.addSql(`
      -- ended_at is null of orders that ended before this migration: updated_at stands for it.
      alter table orders
        add column ended_at timestamptz,
        add column personal_data_removed_at timestamptz;

      create index orders_personal_data on orders (coalesce(ended_at, updated_at), id)
      where personal_data_removed_at is null and status in ('shipped', 'delivered', 'cancelled', 'returned');

      create index offer_batches_created on offer_batches (created_at);
    `)
  }
}
