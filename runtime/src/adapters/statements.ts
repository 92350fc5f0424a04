import { valueBytes, type CheckedListOptions } from '@linker/sdk/host'
import { isoOf } from '../database/iso-of.ts'

export const selectDefaults = `
  select platform_type as "platformType", adapter_key as "adapterKey"
  from platform_defaults`

export const insertFirstDefaults = `
  insert into platform_defaults (platform_type, adapter_key)
  select key, value
  from jsonb_each_text($1::jsonb)
  on conflict do nothing`

export const selectCursor = `
  select value
  from connection_cursors
  where connection_id = $1 and cursor_key = $2`

export const selectCursors = `
  select cursor_key as name, value, ${isoOf('updated_at')} as "updatedAt"
  from connection_cursors
  where connection_id = $1
  order by cursor_key collate "C"`

export const upsertCursors = `
  insert into connection_cursors (connection_id, cursor_key, value)
  select $1, key, value
  from jsonb_each_text($2::jsonb)
  on conflict (connection_id, cursor_key) do update set value = excluded.value, updated_at = now()`

export const insertFirstCursor = `
  insert into connection_cursors (connection_id, cursor_key, value)
  values ($1, $2, $3)
  on conflict do nothing
  returning value`

export const updateCursor = `
  update connection_cursors
  set value = $3, updated_at = now()
  where connection_id = $1 and cursor_key = $2 and value = $4
  returning value`

export const countCursorsOf = 'select count(*)::integer as count from connection_cursors where connection_id = $1'

export const countValuesOf = 'select count(*)::integer as count from connection_values where connection_id = $1'

export const takeLock = `
  insert into connection_locks (connection_id, name, token, lapses_at)
  values ($1, $2, $3, now() + interval '1 millisecond' * $4)
  on conflict (connection_id, name) do update
    set token = excluded.token, lapses_at = excluded.lapses_at
    where connection_locks.lapses_at <= now()
  returning token`

const hasNotExpired = '(expires_at is null or expires_at > now())'

export const selectValue = `
  select value
  from connection_values
  where connection_id = $1
    and key = $2
    and ${hasNotExpired}`

/**
 * Selects a range of keys instead of a pattern: no character of a prefix has a special meaning, and
 * the index on the keys' bytes serves the range.
 */
export const selectValues = (order: CheckedListOptions['order']): string => {
  const [beyond, direction] = order === 'ascending' ? ['>', 'asc'] : ['<', 'desc']
  return `
    select key, value
    from connection_values
    where connection_id = $1
      and key collate "C" >= $2
      and ($3::text is null or key collate "C" < $3)
      and ($4::text is null or key collate "C" ${beyond} $4)
      and ${hasNotExpired}
    order by key collate "C" ${direction}
    limit $5`
}

export const selectValueBytes = `
  select octet_length(value::text) as bytes
  from connection_values
  where connection_id = $1 and key = $2`

export const sumValueBytes = `
  select coalesce(sum(octet_length(key) + octet_length(value::text) + ${valueBytes('', '')}), 0)::float8 as bytes
  from connection_values
  where connection_id = $1 and ${hasNotExpired}`

export const upsertValue = `
  with old as (
    select octet_length(value::text) as bytes
    from connection_values
    where connection_id = $1 and key = $2
  )
  insert into connection_values (connection_id, key, value, expires_at)
  values ($1, $2, $3::jsonb, now() + interval '1 second' * $4)
  on conflict (connection_id, key) do update
    set value = excluded.value, expires_at = excluded.expires_at
  returning (select bytes from old) as replaced`

export const upsertValues = `
  insert into connection_values (connection_id, key, value)
  select $1, key, value
  from jsonb_each($2::jsonb)
  on conflict (connection_id, key) do update set value = excluded.value, expires_at = null`

export const deleteOneValue = `
  delete from connection_values
  where connection_id = $1 and key = $2
  returning octet_length(value::text) as bytes`

// Skip locked rows: another process is writing or removing them, and they are no longer expired
// when the lock is free.
export const deleteExpiredValues = `
  delete from connection_values
  where (connection_id, key) in (
    select connection_id, key
    from connection_values
    where expires_at <= now()
    order by expires_at
    limit $1
    for update skip locked
  )
  returning true as removed`

export const deleteLapsedLocks = `
  delete from connection_locks
  where (connection_id, name) in (
    select connection_id, name
    from connection_locks
    where lapses_at <= now()
    limit $1
    for update skip locked
  )
  returning true as removed`
