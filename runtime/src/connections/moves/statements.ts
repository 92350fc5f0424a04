import { isoOf } from '../../database/iso-of.ts'

const mostKept = 20

export const insertSnapshot = `
  insert into connection_snapshots (
    id, connection_id, adapter_key, adapter_version, config, capabilities, cursors, to_adapter_key,
    to_adapter_version, moved_by, created_at
  )
  select
    $2, id, adapter_key, adapter_version, config, capabilities, $3::jsonb, $4, $5, $6::jsonb,
    clock_timestamp()
  from connections
  where id = $1`

/** Deletes all snapshots of a connection but the newest. */
export const deleteSurplus = `
  delete from connection_snapshots
  where connection_id = $1
    and id not in (
      select id
      from connection_snapshots
      where connection_id = $1
      order by created_at desc, id desc
      limit ${mostKept}
    )`

export const selectLatest = `
  select id, adapter_key as "adapterKey", adapter_version as "adapterVersion", config, capabilities, cursors
  from connection_snapshots
  where connection_id = $1 and restored_at is null
  order by created_at desc, id desc
  limit 1`

export const selectMoves = `
  select
    id, ${isoOf('created_at')} as "movedAt", moved_by as "movedBy",
    json_build_object('adapterKey', adapter_key, 'adapterVersion', adapter_version) as "from",
    case
      when to_adapter_key is null then null
      else json_build_object('adapterKey', to_adapter_key, 'adapterVersion', to_adapter_version)
    end as "to",
    ${isoOf('restored_at')} as "rolledBackAt"
  from connection_snapshots
  where connection_id = $1
  order by created_at desc, id desc`

export const updateRestored = `
  update connection_snapshots set restored_at = now()
  where id = $1 and restored_at is null
  returning id`
