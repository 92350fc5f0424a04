import { Migration } from '@mikro-orm/migrations'

/** Adds whether a shop counts the stock of a variant, and the stock that it shares with others. */
export class KindsOfStock extends Migration {
  override up (): void {
    this.addSql(`
      alter table stock
        add column is_counted boolean not null default true,
        -- Rows with the same id sell the same pieces. Null: the variant has its own.
        add column shared_id uuid;
      create index stock_shared on stock (shared_id) where shared_id is not null;
      -- Without statistics, PostgreSQL expects that hundreds of rows share each stock.
      analyze stock;
    `)
  }
}
