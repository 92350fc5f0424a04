import { Migration } from '@mikro-orm/migrations'

/**
 * Adds indexes that find orders by their lines and by reserved variants, and the time of the last
 * listing with an order.
 */
export class SharedLines extends Migration {
  override up (): void {
    this.addSql(`
      create index order_lines_external on order_lines (external_id);
      create index order_lines_reserved on order_lines (variant_id) where is_reserved;

      -- When the marketplace listed it last. Null: never since this column is there.
      alter table orders add column listed_at timestamptz;
    `)
  }
}
