import { prepared } from '../database/prepared.ts'

const clock = '(extract(epoch from clock_timestamp()) * 1000)::float8'

// Stores each state if its version is the next one. Returns for each the row before, and whether
// it was replaced.
export const storeStates = prepared(`
  with given as (
    select *
    from json_to_recordset($1) as given (id uuid, version bigint, state jsonb, "isGuarded" boolean)
  ),
  stored as (
    insert into upstream_states (connection_id, version, state, is_guarded)
    select id, version, state, "isGuarded" from given order by id
    on conflict (connection_id) do update
    set version = excluded.version, state = excluded.state, is_guarded = excluded.is_guarded
    where upstream_states.version = excluded.version - 1
    returning connection_id
  )
  select given.id, stored.connection_id is not null as "isStored", present.version::float8 as version, present.state,
    ${clock} as "nowMs"
  from given
  left join stored on stored.connection_id = given.id
  left join upstream_states as present on present.connection_id = given.id`)

export const selectStates = `
  select connection_id as id, version::float8 as version, state, ${clock} as "nowMs"
  from upstream_states
  where connection_id = any($1::uuid[])`

export const selectGuarded = `
  select connection_id as id, version::float8 as version, state
  from upstream_states
  where is_guarded
  order by connection_id
  limit $1`

export const selectClock = `select ${clock} as "nowMs"`

export const countStates = 'select count(*)::integer as count from upstream_states where connection_id = $1'

export const deleteStates = 'delete from upstream_states where connection_id = $1'
