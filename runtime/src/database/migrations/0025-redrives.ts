import { Migration } from '@mikro-orm/migrations'

/** Adds redrives, which run many dead jobs again. */
export class Redrives extends Migration {
  override up (): void {
    this.addSql(`
      -- is_open: whether the hub has work left: jobs to run again, or jobs that have not ended.
      -- goal: how many jobs it runs again before somebody continues it. Null: all.
      -- next_at: it runs no job again before this time.
      -- figures: what became of its jobs, counted whenever that changes.
      create table redrives (
        id uuid primary key,
        state text not null check (state in ('running', 'waiting', 'stopped', 'done')),
        is_open boolean not null,
        filter jsonb not null,
        first integer,
        per_minute integer,
        goal integer,
        next_at timestamptz not null,
        is_more boolean not null,
        figures jsonb not null,
        request_id text,
        started_by jsonb not null,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3)
      );
      create index redrives_created on redrives (created_at desc, id);
      create index redrives_open on redrives (created_at) where is_open;

      -- died_at: when the job had died as the redrive began. The job died later: it ran again since.
      -- reason: why it was skipped, or the code of the problem of which it died again.
      create table redrive_jobs (
        redrive_id uuid not null references redrives (id) on delete cascade,
        position integer not null,
        job_id uuid not null,
        died_at timestamptz,
        fate text not null check (fate in ('left', 'retried', 'succeeded', 'dead', 'cancelled', 'skipped')),
        reason text,
        primary key (redrive_id, position)
      );
      create index redrive_jobs_open on redrive_jobs (redrive_id, fate, position) where fate in ('left', 'retried');
    `)
  }
}
