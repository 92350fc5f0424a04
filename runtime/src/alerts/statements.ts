import { isoOf } from '../database/iso-of.ts'

/**
 * Takes the channels `$1` for a look at `$2`, until `$3`. Leaves out those that another process has
 * taken, and those that rest after a failure.
 */
export const takeChannels = `
  insert into alert_channels as kept (channel, next_look_at)
  select unnest($1::text[]), $3::timestamptz
  on conflict (channel) do update set next_look_at = excluded.next_look_at
  where kept.next_look_at <= $2
  returning channel, failures`

export const selectChannels = `
  select
    channel, failures, problem, ${isoOf('next_look_at')} as "nextLookAt", ${isoOf('last_sent_at')} as "lastSentAt",
    ${isoOf('failing_since')} as "failingSince"
  from alert_channels
  where channel = any($1::text[])
  order by channel`

export const selectTellings = `
  select channel, key, item, ${isoOf('told_at')} as "toldAt", is_open as "isOpen"
  from alert_tellings
  where channel = any($1::text[])
  order by channel, key`

/** A message that arrived also ends the rest after failures. */
export const updateSent = `
  insert into alert_channels as kept (channel, next_look_at, last_sent_at)
  values ($1, $2, $2)
  on conflict (channel) do update set
    last_sent_at = excluded.last_sent_at,
    next_look_at = case when kept.failures > 0 then excluded.next_look_at else kept.next_look_at end,
    failures = 0,
    failing_since = null,
    problem = null`

export const updateFailed = `
  insert into alert_channels as kept (channel, next_look_at, failures, failing_since, problem)
  values ($1, $3, 1, $2, $4)
  on conflict (channel) do update set
    next_look_at = excluded.next_look_at,
    failures = kept.failures + 1,
    failing_since = coalesce(kept.failing_since, excluded.failing_since),
    problem = excluded.problem`

export const upsertTellings = `
  insert into alert_tellings (channel, key, item, told_at, is_open)
  select $1, given.key, given.item, $3, true
  from jsonb_to_recordset($2::jsonb) as given (key text, item jsonb)
  on conflict (channel, key) do update
  set item = excluded.item, told_at = excluded.told_at, is_open = true`

export const closeTellings = `
  update alert_tellings set is_open = false
  where channel = $1 and key = any($2::text[])`

export const deleteOldTellings = `
  delete from alert_tellings
  where channel = $1 and not is_open and told_at < $2`
