import { isoOf } from '../database/iso-of.ts'

/** SQL: notes that a process lives. Removes those of which nobody has heard for a day. */
export const upsertProcess = `
  with gone as (
    delete from processes where seen_at < now() - interval '1 day' and id <> $1
  )
  insert into processes (id, role, version, host, pid, started_at, seen_at, adapters_away)
  values ($1, $2, $3, $4, $5, $6, now(), $7)
  on conflict (id) do update set seen_at = excluded.seen_at, adapters_away = excluded.adapters_away`

export const deleteProcess = 'delete from processes where id = $1'

const isAlive = "seen_at > now() - interval '60 seconds'"

export const selectProcesses = `
  select id, role, version, host, pid, ${isoOf('started_at')} as "startedAt", ${isoOf('seen_at')} as "seenAt"
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

export const selectLogLevel = `
  select level, ${isoOf('until')} as until, ceil(extract(epoch from until - now()) * 1000)::float8 as "restMs"
  from log_levels
  where until > now()`

export const upsertLogLevel = `
  insert into log_levels (level, until)
  values ($1, now() + interval '1 minute' * $2)
  on conflict (only_one) do update set level = excluded.level, until = excluded.until`

export const deleteLogLevel = 'delete from log_levels'
