import { Migration } from '@mikro-orm/migrations'

/**
 * Adds orders of marketplaces, their state in the shop, and the rules that say who dispatches them.
 */
export class Orders extends Migration {
  override up (): void {
    this.addSql(`
      -- One row per order of a marketplace: id is uuid5 of both, so two readings at once write one row.
      create table orders (
        id uuid primary key,
        connection_id uuid not null references connections (id),
        external_id text not null,
        status text not null check (status in (
          'pending', 'awaiting_mapping', 'ready', 'created', 'shipped', 'delivered', 'cancelled', 'returned', 'failed'
        )),
        -- What the marketplace says: the hub's word and its own.
        source_status text not null,
        upstream_status text,
        revision text not null,
        -- As it was read last, with the buyer's data.
        snapshot jsonb not null,
        problems jsonb not null default '[]',
        placed_at timestamptz not null,
        cancelled_at timestamptz,
        destination_connection_id uuid references connections (id),
        destination_external_id text,
        destination_status text,
        -- Set before the shop is asked: an attempt whose answer was lost is looked for first.
        creation_begun_at timestamptz,
        tracking jsonb,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        unique (connection_id, external_id)
      );
      create unique index orders_destination on orders (destination_connection_id, destination_external_id)
      where destination_external_id is not null;
      create index orders_page on orders (created_at, id);
      create index orders_status on orders (connection_id, status, created_at);

      create table order_lines (
        order_id uuid not null references orders (id) on delete cascade,
        external_id text not null,
        offer_external_id text,
        variant_id uuid references variants (id),
        quantity integer not null,
        -- Until the shop has taken the pieces off, or the order is cancelled.
        is_reserved boolean not null default false,
        primary key (order_id, external_id)
      );
      create index order_lines_unmapped on order_lines (offer_external_id) where variant_id is null;

      create table order_history (
        order_id uuid not null references orders (id) on delete cascade,
        id bigint generated always as identity,
        at timestamptz not null default now(),
        event text not null,
        detail jsonb,
        primary key (order_id, id)
      );

      create table routing_rules (
        connection_id uuid not null references connections (id) on delete cascade,
        source_delivery_method_id text not null,
        processor_kind text not null check (processor_kind in ('hub_managed_carrier', 'source_brokered')),
        processor_connection_id uuid references connections (id),
        position integer not null,
        primary key (connection_id, source_delivery_method_id)
      );
      -- Of the rule set as a whole, for ETag; absent: never set.
      create table routing_rule_sets (connection_id uuid primary key references connections (id) on delete cascade,
        version integer not null);

      create table shipments (
        order_id uuid primary key references orders (id) on delete cascade,
        connection_id uuid not null references connections (id),
        status text not null check (status in ('requested', 'created', 'failed', 'cancelled')),
        -- Set before the carrier is asked: of an attempt whose answer was lost there may be a parcel.
        begun_at timestamptz,
        external_id text,
        tracking jsonb,
        problem text,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
    `)
  }
}
