import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the account of each connection, the links that a deleted connection leaves to the next one
 * of its account, and the status of orders that somebody else handles.
 */
export class Accounts extends Migration {
  override up (): void {
    this.addSql(`
      alter table connections
        add column account_id text,
        add column account_name text,
        -- Set when another connection to the account takes its orders: an operator allowed it, or the
        -- hub found it.
        add column account_shared text check (account_shared in ('allowed', 'found')),
        -- The hub makes no order in the shop that was placed before. Null: it makes all.
        add column orders_since timestamptz;
      create unique index connections_account on connections (platform_type, account_id)
      where account_id is not null and account_shared is null and deleted_at is null;

      -- The key of the hashes that stand for account ids of persons. The first such id makes it.
      create table account_keys (
        is_only boolean primary key default true check (is_only),
        key text not null default gen_random_uuid()::text || gen_random_uuid()::text
      );

      create table former_links (
        connection_id uuid not null references connections (id) on delete cascade,
        external_id text not null,
        variant_id uuid not null references variants (id) on delete cascade,
        buffer integer not null,
        max_listed integer,
        primary key (connection_id, external_id)
      );
      create index former_links_variant on former_links (variant_id);

      alter table orders drop constraint orders_status_check;
      alter table orders add constraint orders_status_check check (status in (
        'pending', 'awaiting_mapping', 'ready', 'created', 'shipped', 'delivered', 'cancelled', 'returned', 'failed',
        'elsewhere'
      ));
      drop index orders_ended;
      create index orders_ended on orders (coalesce(ended_at, updated_at), id)
      where status in ('shipped', 'delivered', 'cancelled', 'returned', 'elsewhere');
      drop index orders_personal_data;
      create index orders_personal_data on orders (coalesce(ended_at, updated_at), id)
      where personal_data_removed_at is null
        and status in ('shipped', 'delivered', 'cancelled', 'returned', 'elsewhere');
    `)
  }
}
