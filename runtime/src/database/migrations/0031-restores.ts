import { Migration } from '@mikro-orm/migrations'

/** Adds when the state was restored from a backup, and which orders the hub searches for since. */
export class Restores extends Migration {
  override up (): void {
    this.addSql(`
      -- taken_at: when the backup was taken. What the hub did between the two times is not in its
      -- state: it may have made an order in the shop.
      create table restores (
        restored_at timestamptz primary key,
        taken_at timestamptz not null
      );
      -- Set by a restore: the hub searches the shop before it makes the order or leaves it cancelled.
      -- Unlike creation_begun_at, this does not say that an attempt was made.
      alter table orders add column searched_since timestamptz;
    `)
  }
}
