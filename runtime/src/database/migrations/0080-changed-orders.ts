import { Migration } from '@mikro-orm/migrations'

/** Keeps what a shop got of an order that its marketplace changed later. */
export class ChangedOrders extends Migration {
  override up (): void {
    this.addSql(`
      alter table orders add column handed_on jsonb;
      alter table order_lines add column at_shop integer;
    `)
  }
}
