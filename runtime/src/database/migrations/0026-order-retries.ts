import { Migration } from '@mikro-orm/migrations'

/**
 * Adds indexes that find an order by the id that its marketplace gave it, and the orders that can
 * be retried.
 */
export class OrderRetries extends Migration {
  override up (): void {
    this.addSql(`
      create index orders_external_id on orders (external_id);
      create index orders_retryable on orders (created_at, id)
      where status in ('awaiting_mapping', 'failed');
    `)
  }
}
