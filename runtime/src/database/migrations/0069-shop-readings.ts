import { Migration } from '@mikro-orm/migrations'

/** Adds when the hub last read an order in its shop, and an index of those that it reads again. */
export class ShopReadings extends Migration {
  override up (): void {
    this.addSql(`
      -- Null: never since this migration.
      alter table orders add column shop_read_at timestamptz;
      create index orders_open_at_shop on orders (destination_connection_id, created_at)
        where destination_external_id is not null and status in ('created', 'shipped');
    `)
  }
}
