import { Migration } from '@mikro-orm/migrations'

/**
 * Makes the ledger the queue. Until now, a table of pg-boss held the live jobs beside the ledger.
 * The migration takes them over and drops the schema of pg-boss, unless the schema also holds
 * queues of another program.
 */
export class OneLedger extends Migration {
  override up (): void {
    this.addSql(`
      -- state: where a live job is; null once it has ended or another job stands for it.
      -- returned: it ran before. A job that was never claimed stands for later ones of its object.
      -- claims: how often it was claimed; the number of a claim fences it. is_suspect: the worker of
      -- its last claim died.
      alter table jobs
        add column state text check (state in ('queued', 'returned', 'running')),
        add column due_at timestamptz,
        add column claims integer not null default 0,
        add column claimed_at timestamptz,
        add column heartbeat_at timestamptz,
        add column is_suspect boolean not null default false
    `)
    this.addSql(`
      do $$
      begin
        if to_regclass('pgboss.job') is null then
          return;
        end if;
        update jobs
        set state = case live.state::text when 'created' then 'queued' when 'retry' then 'returned' else 'running' end,
          due_at = live.start_after,
          claims = live.retry_count + (live.started_on is not null)::integer,
          claimed_at = live.started_on,
          heartbeat_at = case live.state::text when 'active' then coalesce(live.heartbeat_on, live.started_on) end,
          is_suspect = live.state::text = 'retry'
            and (live.output ->> 'released') is distinct from live.retry_count::text
        from pgboss.job as live
        where live.id = jobs.id
          and live.name in ('command', 'state')
          and live.state::text in ('created', 'retry', 'active');
        if exists (select from pgboss.queue where name not in ('command', 'state') and name !~ '^__pgboss__') then
          delete from pgboss.job where name in ('command', 'state');
        else
          drop schema pgboss cascade;
        end if;
      end
      $$
    `)
    this.addSql(`
      -- Claims walk it: the waiting jobs of each lane and group, in the order in which they are due.
      create index jobs_turn on jobs (lane, coalesce(connection_id, '00000000-0000-0000-0000-000000000000'), due_at)
        where state in ('queued', 'returned');
      create index jobs_running on jobs (coalesce(connection_id, '00000000-0000-0000-0000-000000000000'))
        where state = 'running';
      create index jobs_suspects on jobs (lane, due_at) where is_suspect;

      -- Make two runs of one object impossible, and a second state job that waits for it.
      create unique index jobs_one_claimed on jobs (object_key, lane) where state in ('returned', 'running');
      create unique index jobs_one_waiting on jobs (object_key) where lane = 'state' and state = 'queued';
    `)
  }
}
