import { isoOf } from '../database/iso-of.ts'

export const insertEntry = `
  insert into audit_entries (
    id, at, actor_kind, actor_name, token_id, request_id, action, connection_id, object_id, object_name, changes
  )
  values ($1, date_trunc('milliseconds', clock_timestamp()), $2, $3, $4, $5, $6, $7, $8, $9, $10)`

export const selectEntries = `
  select
    id, ${isoOf('at')} as "createdAt",
    json_build_object('kind', actor_kind, 'name', actor_name, 'tokenId', token_id) as actor,
    request_id as "requestId", action, connection_id as "connectionId", object_id as "objectId",
    object_name as "objectName", changes
  from audit_entries`

export const countOfConnection = 'select count(*)::integer as count from audit_entries where connection_id = $1'

export const deleteOldEntries = `
  delete from audit_entries
  where id in (select id from audit_entries where at < $1 order by at limit $2)
  returning 1`
