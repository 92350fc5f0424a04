import { isoOf } from '../database/iso-of.ts'

const aliveFor = "interval '60 seconds'"
const runsJobs = "role in ('worker', 'all')"

/**
 * SQL: notes that a process lives. Removes those of which nobody has heard for a day, except the
 * last one that ran jobs.
 */
export const upsertProcess = `
  with gone as (
    delete from processes
    where seen_at < now() - interval '1 day' and id <> $1 and id is distinct from (
      select id from processes where ${runsJobs} order by seen_at desc limit 1
    )
  )
  insert into processes (
    id, role, version, host, pid, started_at, seen_at, adapters_away, unreadable_keys, mode
  )
  values ($1, $2, $3, $4, $5, $6, now(), $7, $8, $9)
  on conflict (id) do update set
    seen_at = excluded.seen_at,
    adapters_away = excluded.adapters_away,
    unreadable_keys = excluded.unreadable_keys`

export const deleteProcess = 'delete from processes where id = $1'

/** SQL: lets a process count as dead from now on, and keeps since when. */
export const updateStopped = `update processes set seen_at = now() - ${aliveFor} where id = $1`

const isAlive = `seen_at > now() - ${aliveFor}`

/**
 * SQL: answers a row when no process that runs jobs has been alive for `$1` seconds, though another
 * process has run for as long. Without any process that is alive nobody tells, so it answers none.
 */
export const selectWorkerAbsence = `
  select ${isoOf('gone_at')} as since
  from (
    select
      max(seen_at + ${aliveFor}) filter (where ${runsJobs}) as gone_at,
      min(started_at) filter (where ${isAlive}) as begun_at
    from processes
  ) as known
  where begun_at <= now() - interval '1 second' * $1
    and coalesce(gone_at <= now() - interval '1 second' * $1, true)`

export const selectProcesses = `
  select
    id, role, mode, version, host, pid, ${isoOf('started_at')} as "startedAt", ${isoOf('seen_at')} as "seenAt"
  from processes
  where ${isAlive}
  order by started_at, id
  limit 200`

export const selectAway = `
  select id, host, pid, coalesce(adapters_away, '[]') as "adaptersAway"
  from processes
  where ${isAlive}
  order by started_at, id
  limit 200`

export const selectUnreadable = `
  select id, host, pid, coalesce(unreadable_keys, '[]') as "unreadableKeys"
  from processes
  where ${isAlive}
  order by started_at, id
  limit 200`

export const selectLogLevel = `
  select level, ${isoOf('until')} as until, ceil(extract(epoch from until - now()) * 1000)::float8 as "restMs"
  from log_levels
  where until > now()`

export const upsertLogLevel = `
  insert into log_levels (level, until)
  values ($1, now() + interval '1 minute' * $2)
  on conflict (only_one) do update set level = excluded.level, until = excluded.until`

export const deleteLogLevel = 'delete from log_levels'
