import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the limits on the stock that an offer shows, the reserved pieces, and the sweeps that
 * compare all stock with the master.
 */
export class StockSweeps extends Migration {
  override up (): void {
    this.addSql(`
      -- Ordered at a marketplace and not yet taken off by the master. read_at: when the row was
      -- compared with a reading of this one object.
      alter table stock add column reserved integer not null default 0 check (reserved >= 0);
      alter table stock add column read_at timestamptz not null default now();

      -- link_version grows when the offer has to be written although the stock did not change;
      -- sent_link_version is the one written last.
      alter table offers add column buffer integer not null default 0 check (buffer >= 0);
      alter table offers add column max_listed integer check (max_listed >= 0);
      alter table offers add column link_version integer not null default 1;
      alter table offers add column sent_link_version integer;
      alter table offers add column upstream_quantity integer;
      alter table offers add column upstream_read_at timestamptz;
      update offers set sent_link_version = 1 where stock_version is not null;

      -- Since when the master does not have it.
      alter table products add column missing_at timestamptz;
      alter table variants add column missing_at timestamptz;
      create index products_page on products (created_at, id);
      create index variants_page on variants (created_at, id);

      create table inventory_sweeps (
        id uuid primary key,
        connection_id uuid not null references connections (id) on delete cascade,
        -- stock: pages of quantities; missing: what they left out is looked up; products: names of what was new.
        phase text not null default 'stock' check (phase in ('stock', 'missing', 'products')),
        outcome text check (outcome in ('complete', 'held', 'abandoned')),
        problem text,
        -- Cursors are understood by the adapter version that made them.
        adapter text,
        cursor text,
        accept_missing boolean not null default false,
        -- Grows with every transaction of the sweep: of two runs of one job only one goes on.
        steps integer not null default 0,
        pages integer not null default 0,
        seen integer not null default 0,
        changed integer not null default 0,
        missing integer not null default 0,
        started_at timestamptz(3) not null default now(),
        touched_at timestamptz not null default now(),
        finished_at timestamptz(3)
      );
      -- One at a time: whatever job comes next goes on with it.
      create unique index inventory_sweeps_running on inventory_sweeps (connection_id) where finished_at is null;
      create index inventory_sweeps_latest on inventory_sweeps (connection_id, started_at desc);

      -- What a sweep saw, a row per page: the rows of stock that did not change are not written.
      create table inventory_sweep_pages (
        sweep_id uuid not null references inventory_sweeps (id) on delete cascade,
        page integer not null,
        variant_ids uuid[] not null,
        primary key (sweep_id, page)
      );
    `)
  }
}
