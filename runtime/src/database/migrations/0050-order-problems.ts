import { Migration } from '@mikro-orm/migrations'

/** Adds the index that lists the orders with a problem. Few have one. */
export class OrderProblems extends Migration {
  override up (): void {
    this.addSql(`
      create index orders_problems on orders (created_at, id)
      where problems <> '[]'::jsonb;
    `)
  }
}
