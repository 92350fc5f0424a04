import { Migration } from '@mikro-orm/migrations'

/**
 * Adds offers that the hub creates, the last write to each of them, and the batches in which they
 * are created.
 */
export class Offers extends Migration {
  override up (): void {
    this.addSql(`
      -- created_upstream_at: when the marketplace accepted it; null for an offer of the hub that is
      -- not there yet, and for one that was linked.
      alter table offers add column title text;
      -- The job that creates it, or did last.
      alter table offers add column create_job_id uuid;
      alter table offers add column created_upstream_at timestamptz;
      -- Last write of anything to the marketplace, and the last time that it was seen there.
      alter table offers add column written_at timestamptz;
      alter table offers add column seen_at timestamptz;
      update offers set written_at = last_synced_at;
      alter table variants add column options jsonb not null default '[]';
      create index offers_page on offers (created_at, id);
      create index offers_of_variant on offers (connection_id, variant_id);

      create table offer_batches (
        id uuid primary key,
        connection_id uuid not null references connections (id),
        created_at timestamptz not null
      );
      -- One row per offer: an item that names a product has one for each of its variants. How each
      -- ended is read from its job, so that no crash leaves a batch without an end.
      create table offer_batch_items (
        batch_id uuid not null references offer_batches (id) on delete cascade,
        position integer not null,
        item jsonb not null,
        variant_id uuid not null,
        offer_id uuid not null,
        job_id uuid not null,
        primary key (batch_id, position)
      );
    `)
  }
}
