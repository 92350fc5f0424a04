import { Migration } from '@mikro-orm/migrations'

/** Keeps with an order since when its marketplace has answered that it does not know it. */
export class UnknownOrders extends Migration {
  override up (): void {
    this.addSql('alter table orders add column unknown_since timestamptz(3)')
  }
}
