/** SQL: stores what one process counted. Skips connections that were deleted meanwhile. */
export const insertFigures = `
  insert into figures (begins_at, seconds, process, connection_id, adapter, counts)
  select given."beginsAt", 60, $2::uuid, given."connectionId", given.adapter, given.counts
  from json_to_recordset($1::json) as given (
    "beginsAt" timestamptz, "connectionId" uuid, adapter text, counts jsonb
  )
  where given."connectionId" is null
    or exists (select from connections where id = given."connectionId" and deleted_at is null)`

const hourOf = (table: string): string => `
  select to_timestamp(floor(extract(epoch from min(begins_at)) / 3600) * 3600) as hour
  from ${table}
  where seconds = 60 and begins_at < $1`

/** SQL: takes at most `$2` rows of the oldest hour before `$1`, connection by connection. */
const takeOldest = (table: string): string => `
  delete from ${table}
  where id = any(array(
    select ${table}.id
    from ${table}, oldest
    where seconds = 60 and begins_at >= hour and begins_at < hour + interval '1 hour'
    order by connection_id
    limit $2
  ))`

/**
 * SQL: replaces minutes of the oldest hour before `$1` by rows of the hour. An hour may get several
 * rows of a connection: whoever reads them adds them up. Returns how many minutes it took.
 */
export const mergeFigures = `
  with oldest as (${hourOf('figures')}),
  old as (${takeOldest('figures')} returning connection_id, adapter, counts),
  summed as (
    select connection_id, adapter, counted.name, sum(counted.value::bigint) as total
    from old, jsonb_each_text(counts) as counted (name, value)
    -- A sum of times means nothing, and nobody asks an hour for its last run.
    where not starts_with(counted.name, 'last:')
    group by connection_id, adapter, counted.name
  ),
  stored as (
    insert into figures (begins_at, seconds, connection_id, adapter, counts)
    select hour, 3600, connection_id, adapter, jsonb_object_agg(name, total)
    from summed, oldest
    group by hour, connection_id, adapter
  )
  select count(*)::integer as merged from old`

/** SQL: the same for samples. The hour has the most of each. */
export const mergeSamples = `
  with oldest as (${hourOf('samples')}),
  old as (
    ${takeOldest('samples')}
    returning connection_id, queued, waiting, running, oldest_seconds, drift
  ),
  stored as (
    insert into samples (begins_at, seconds, connection_id, queued, waiting, running, oldest_seconds, drift)
    select hour, 3600, connection_id, max(queued), max(waiting), max(running), max(oldest_seconds), max(drift)
    from old, oldest
    group by hour, connection_id
  )
  select count(*)::integer as merged from old`

const deleteOld = (table: string): string => `
  delete from ${table}
  where id = any(array(
    select id
    from ${table}
    where seconds = 3600 and begins_at < now() - interval '90 days'
    limit $1
  ))
  returning id`

export const deleteOldFigures = deleteOld('figures')
export const deleteOldSamples = deleteOld('samples')

const isOf = (connectionId: string | undefined): string =>
  connectionId === undefined ? 'connection_id is null' : `connection_id = ${connectionId}`

const slotOf = (begins: string): string => `(floor(extract(epoch from ${begins}) / $3) * $3)::float8`

/** SQL: the counts from `$1` to `$2` in slots of `$3` seconds. */
export const selectCounts = (connectionId: string | undefined): string => `
  select ${slotOf('begins_at')} as at, counted.name, sum(counted.value::bigint)::float8 as total
  from figures, jsonb_each_text(counts) as counted (name, value)
  where ${isOf(connectionId)} and begins_at >= $1 and begins_at < $2
    and not starts_with(counted.name, 'last:')
  group by 1, 2`

/** SQL: the samples of the hub from `$1` to `$2` in slots of `$3` seconds, the most of each. */
export const selectHubSamples = `
  select ${slotOf('begins_at')} as at, max(queued) as queued, max(waiting) as waiting, max(running) as running,
    max(oldest_seconds) as "oldestSeconds", max(drift) as drift
  from samples
  where connection_id is null and begins_at >= $1 and begins_at < $2
  group by 1`

// A connection without jobs has no sample of its own: it had none whenever the hub has one.
/** SQL: the same for the connection `$4`. */
export const selectSamplesOf = `
  select ${slotOf('hub.begins_at')} as at, max(coalesce(own.queued, 0)) as queued,
    max(coalesce(own.waiting, 0)) as waiting, max(coalesce(own.running, 0)) as running,
    max(coalesce(own.oldest_seconds, 0)) as "oldestSeconds",
    max(case when hub.drift is not null then coalesce(own.drift, 0) end) as drift
  from samples as hub
    left join samples as own
      on own.connection_id = $4 and own.begins_at = hub.begins_at and own.seconds = hub.seconds
  where hub.connection_id is null and hub.begins_at >= $1 and hub.begins_at < $2
  group by 1`

/**
 * SQL: whether this process takes the sample of the present minute. The lock ends with the
 * transaction; a process that does not get it leaves the minute to another one.
 */
export const claimSample = `
  select date_trunc('minute', now())::text as "beginsAt",
    not exists (
      select from samples
      where connection_id is null and drift is not null and begins_at > now() - interval '5 minutes'
    ) as "isDriftWanted"
  where pg_try_advisory_xact_lock(hashtext('linker samples'))
    and not exists (
      select from samples where connection_id is null and begins_at = date_trunc('minute', now())
    )`

export const insertSamples = `
  insert into samples (begins_at, seconds, connection_id, queued, waiting, running, oldest_seconds, drift)
  select $2::timestamptz, 60, given."connectionId", given.queued, given.waiting, given.running,
    given."oldestSeconds", given.drift
  from json_to_recordset($1::json) as given (
    "connectionId" uuid, queued integer, waiting integer, running integer, "oldestSeconds" double precision,
    drift integer
  )`

export const countRowsOfConnection = `
  select (
    (select count(*) from figures where connection_id = $1) + (select count(*) from samples where connection_id = $1)
  )::integer as count`

export const deleteFiguresOf = 'delete from figures where connection_id = $1'
export const deleteSamplesOf = 'delete from samples where connection_id = $1'
export const deleteSamplesAt = 'delete from samples where seconds = 60 and begins_at = $1'
