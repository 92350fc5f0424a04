import { Migration } from '@mikro-orm/migrations'

/**
 * Adds connections, credentials, catalog, stock, offers, the job ledger and the streams on tables.
 */
export class Foundation extends Migration {
  override up (): void {
    this.addSql(`
      create table connections (
        id uuid primary key,
        platform_type text not null,
        name text not null,
        status text not null check (status in ('active', 'disabled', 'error')),
        status_reason text,
        config jsonb not null,
        credentials_ref text,
        adapter_key text not null,
        adapter_version text,
        capabilities jsonb not null,
        webhook_scheme text not null check (webhook_scheme in ('hmac', 'bearer')),
        version integer not null default 1,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index connections_platform on connections (platform_type, status);

      create table integration_credentials (
        ref text primary key,
        platform_type text not null,
        credentials_json jsonb not null,
        encrypted boolean not null,
        version integer not null default 1,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );

      create table products (
        id uuid primary key,
        connection_id uuid not null references connections (id),
        external_id text not null,
        name text,
        description text,
        is_active boolean,
        image_urls jsonb not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        unique (connection_id, external_id)
      );

      create table variants (
        id uuid primary key,
        product_id uuid not null references products (id),
        external_id text not null,
        name text,
        sku text,
        ean text,
        price jsonb,
        image_urls jsonb not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        unique (product_id, external_id)
      );

      create table stock (
        variant_id uuid primary key references variants (id),
        quantity integer not null,
        version integer not null default 1,
        updated_at timestamptz not null
      );

      create table offers (
        id uuid primary key,
        connection_id uuid not null references connections (id),
        variant_id uuid not null references variants (id),
        external_id text not null,
        status text not null check (status in ('DRAFT', 'ACTIVE', 'INACTIVE', 'ENDED', 'FAILED')),
        upstream_status text,
        price jsonb,
        quantity integer,
        stock_version integer,
        frozen_fields jsonb not null,
        problems jsonb not null,
        last_synced_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        unique (connection_id, external_id)
      );
      create index offers_variant on offers (variant_id);

      -- The job ledger: one row per job until retention removes it. The live queue is pg-boss's own table.
      -- id is uuid5 of idempotency_key, so the primary key is what makes the key unique.
      -- No index and no index predicate may name a column that a successful end writes: it would no
      -- longer be a heap-only update.
      create table jobs (
        id uuid primary key,
        job_type text not null,
        lane text not null check (lane in ('state', 'command')),
        connection_id uuid,
        object_key text not null,
        command_order bigint,
        idempotency_key text not null,
        payload json not null,
        request_id text,
        outcome text check (outcome in ('succeeded', 'dead', 'cancelled')),
        coalesced_into uuid,
        failures integer not null default 0,
        crashes integer not null default 0,
        adapter text,
        attempts jsonb not null default '[]',
        result jsonb,
        problem jsonb,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        died_at timestamptz(3)
      ) with (fillfactor = 75);
      create sequence jobs_command_order increment 1048576;
      create index jobs_created on jobs (created_at desc, id);
      create index jobs_connection on jobs (connection_id, created_at desc, id);
      create index jobs_request on jobs (request_id, created_at desc, id) where request_id is not null;
      create index jobs_dead on jobs (created_at desc, id) where died_at is not null;
      create index jobs_commands on jobs (object_key, command_order) where command_order is not null;

      create table stream_messages (
        id bigserial primary key,
        stream text not null,
        key text,
        fields json not null,
        published_at timestamptz not null default now(),
        expires_at timestamptz not null default now() + interval '7 days',
        consumer text,
        delivered_at timestamptz,
        deliveries integer not null default 0,
        acked_at timestamptz
      ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
      create unique index stream_messages_key on stream_messages (stream, key) where key is not null;
      create index stream_messages_fresh on stream_messages (stream, id)
      where delivered_at is null and acked_at is null;
      create index stream_messages_pending on stream_messages (stream, delivered_at)
      where delivered_at is not null and acked_at is null;
      create index stream_messages_expired on stream_messages (expires_at) where acked_at is not null;
    `)
  }
}
