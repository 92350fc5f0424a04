export const selectScheduled = `
  select
    id, adapter_key as "adapterKey", adapter_version as "adapterVersion", capabilities,
    (
      select json_object_agg(name, json_build_object('every', every, 'enabled', enabled))
      from connection_schedules
      where connection_id = connections.id
    ) as settings
  from connections
  where status = 'active'
    and deleted_at is null
    and (adapter_key = any($1) or capabilities ?| $3)
    and id > $2
  order by id
  limit $4`

export const mergeSetting = `
  insert into connection_schedules as kept (connection_id, name, every, enabled)
  values ($1, $2, $3, coalesce($4::boolean, $6::boolean))
  on conflict (connection_id, name) do update set
    every = case when $5 then excluded.every else kept.every end,
    enabled = coalesce($4, kept.enabled)`

export const countSettings = 'select count(*)::integer as count from connection_schedules where connection_id = $1'

export const deleteSettings = 'delete from connection_schedules where connection_id = $1'
