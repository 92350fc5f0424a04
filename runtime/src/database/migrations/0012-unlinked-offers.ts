import { Migration } from '@mikro-orm/migrations'

/** Adds offers that a marketplace shows and that follow no variant. */
export class UnlinkedOffers extends Migration {
  override up (): void {
    this.addSql(`
      create table unlinked_offers (
        id uuid primary key,
        connection_id uuid not null references connections (id) on delete cascade,
        external_id text not null,
        -- The seller's own.
        reference text,
        -- Null while nobody has seen it for sale since an operator unlinked it; seen_at likewise.
        status text check (status in ('ACTIVE', 'INACTIVE')),
        upstream_status text,
        title text,
        price jsonb,
        quantity integer,
        seen_at timestamptz,
        -- When an operator unlinked it: its reference does not link it again.
        released_at timestamptz,
        created_at timestamptz not null,
        unique (connection_id, external_id)
      );
      create index unlinked_offers_page on unlinked_offers (created_at, id);
    `)
  }
}
