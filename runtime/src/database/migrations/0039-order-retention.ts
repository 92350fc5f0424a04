import { Migration } from '@mikro-orm/migrations'

/** Adds until when removed orders were placed, and an index that finds orders that ended. */
export class OrderRetention extends Migration {
  override up (): void {
    this.addSql(`
      -- An unknown order that was placed until then may be one that was removed.
      create table order_removals (
        connection_id uuid primary key,
        placed_until timestamptz not null
      );

      create index orders_ended on orders (coalesce(ended_at, updated_at), id)
      where status in ('shipped', 'delivered', 'cancelled', 'returned');
    `)
  }
}
