import { Migration } from '@mikro-orm/migrations'

/** Keeps which version of an adapter read an order last. */
export class OrderReaders extends Migration {
  override up (): void {
    this.addSql('alter table orders add column read_by text')
  }
}
