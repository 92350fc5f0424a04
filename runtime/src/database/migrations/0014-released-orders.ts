import { Migration } from '@mikro-orm/migrations'

/** Whether an operator gave back what a failed order keeps from being sold. */
export class ReleasedOrders extends Migration {
  override up (): void {
    this.addSql(`
      -- Until it is tried again: another reading of the order reserves nothing.
      alter table orders add column is_released boolean not null default false;
    `)
  }
}
