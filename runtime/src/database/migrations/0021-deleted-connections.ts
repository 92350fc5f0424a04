import { Migration } from '@mikro-orm/migrations'

/**
 * Adds when a connection was deleted. Its row stays, because orders, jobs and the audit name it.
 * Adds an index on the variants of order lines: without it, PostgreSQL reads all order lines for
 * each variant that goes with its shop.
 */
export class DeletedConnections extends Migration {
  override up (): void {
    this.addSql('alter table connections add column deleted_at timestamptz')
    this.addSql('create index order_lines_variant on order_lines (variant_id)')
  }
}
