import { Migration } from '@mikro-orm/migrations'

/** Adds figures, samples of the queue, the processes that run, and their present log level. */
export class Operation extends Migration {
  override up (): void {
    this.addSql(`
      create table figures (
        id bigint generated always as identity primary key,
        begins_at timestamptz not null,
        seconds integer not null,
        process uuid,
        connection_id uuid,
        adapter text,
        counts jsonb not null
      );
      create index figures_connection on figures (connection_id, begins_at);
      create index figures_age on figures (seconds, begins_at);

      create table samples (
        id bigint generated always as identity primary key,
        begins_at timestamptz not null,
        seconds integer not null,
        connection_id uuid,
        queued integer not null,
        waiting integer not null,
        running integer not null,
        oldest_seconds double precision not null,
        drift integer
      );
      create index samples_connection on samples (connection_id, begins_at);
      create index samples_age on samples (seconds, begins_at);

      create table processes (
        id uuid primary key,
        role text not null,
        version text not null,
        host text not null,
        pid integer not null,
        started_at timestamptz not null,
        seen_at timestamptz not null
      ) with (fillfactor = 50);

      -- At most one row: the level that all processes log at for a while.
      create table log_levels (
        only_one boolean primary key default true check (only_one),
        level text not null,
        until timestamptz not null
      );
    `)
  }
}
