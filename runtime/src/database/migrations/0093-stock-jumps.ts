import { Migration } from '@mikro-orm/migrations'

/** Keeps the quantity that offers go by while a person has to confirm a jump of the stock. */
export class StockJumps extends Migration {
  override up (): void {
    this.addSql(`
      alter table stock
        add column confirmed_quantity integer,
        add column jumped_at timestamptz;

      create index stock_jumped on stock (variant_id) where confirmed_quantity is not null;
    `)
  }
}
