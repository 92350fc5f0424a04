import { Migration } from '@mikro-orm/migrations'

/**
 * Adds the state that adapters keep between calls, and the snapshots that moves of a connection
 * restore.
 */
export class AdapterState extends Migration {
  override up (): void {
    this.addSql(`
      create table connection_values (
        connection_id uuid not null references connections (id) on delete cascade,
        key text not null,
        value jsonb not null,
        expires_at timestamptz,
        primary key (connection_id, key)
      );
      create index connection_values_expired on connection_values (expires_at) where expires_at is not null;

      create table connection_cursors (
        connection_id uuid not null references connections (id) on delete cascade,
        cursor_key text not null,
        value text not null,
        updated_at timestamptz not null default now(),
        primary key (connection_id, cursor_key)
      );

      -- A lease: it lapses, whatever became of its holder.
      create table connection_locks (
        connection_id uuid not null references connections (id) on delete cascade,
        name text not null,
        token uuid not null,
        lapses_at timestamptz not null,
        primary key (connection_id, name)
      );

      -- While a connection moves no job of it is claimed. Lapses, too: the process that moves it may die.
      alter table connections add column moving_until timestamptz;

      -- Event type to job type as the adapter declared it: its events start the right jobs while it
      -- is missing. Null: those of the specification.
      alter table connections add column webhook_events jsonb;
      -- Members of the config that are never shown, likewise.
      alter table connections add column secret_members jsonb not null default '[]';

      create table connection_snapshots (
        id uuid primary key,
        connection_id uuid not null references connections (id) on delete cascade,
        adapter_key text not null,
        adapter_version text,
        config jsonb not null,
        capabilities jsonb not null,
        cursors jsonb not null,
        created_at timestamptz not null default now(),
        restored_at timestamptz
      );
      create index connection_snapshots_latest on connection_snapshots (connection_id, created_at);

      -- What the operator set for one connection; everything else is the adapter's.
      create table connection_schedules (
        connection_id uuid not null references connections (id) on delete cascade,
        name text not null,
        every text,
        enabled boolean not null default true,
        primary key (connection_id, name)
      );
    `)
  }
}
