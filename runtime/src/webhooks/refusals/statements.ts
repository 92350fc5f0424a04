import { joinPresent } from '../../connections/statements.ts'
import { isoOf } from '../../database/iso-of.ts'

/**
 * Adds counts to those that are stored. Skips unknown and deleted connections. The order keeps two
 * processes from waiting for each other.
 */
export const addCounts = `
  insert into webhook_refusals as stored (connection_id, code, count, first_at, last_at, last_detail)
  select
    given."connectionId", given.code, given.count, given."firstAt", given."lastAt", given."lastDetail"
  from json_to_recordset($1::json) as given (
    "connectionId" uuid, code text, count bigint, "firstAt" timestamptz, "lastAt" timestamptz, "lastDetail" text
  )
  ${joinPresent}
  on conflict (connection_id, code) do update set
    count = stored.count + excluded.count,
    first_at = least(stored.first_at, excluded.first_at),
    last_at = greatest(stored.last_at, excluded.last_at),
    last_detail = case
      when excluded.last_at >= stored.last_at then excluded.last_detail
      else stored.last_detail
    end`

export const selectCounts = `
  select
    code, count::float8 as count, ${isoOf('first_at')} as "firstAt", ${isoOf('last_at')} as "lastAt",
    last_detail as "lastDetail"
  from webhook_refusals
  where connection_id = $1`

/** The counts of connections `$1` to which a delivery after `$2` belongs. */
export const selectLateCounts = `
  select
    connection_id as "connectionId", code, count::float8 as count, ${isoOf('first_at')} as "firstAt",
    ${isoOf('last_at')} as "lastAt", last_detail as "lastDetail"
  from webhook_refusals
  where connection_id = any($1::uuid[]) and last_at > $2`

export const countRefusals = 'select count(*)::integer as count from webhook_refusals where connection_id = $1'

export const deleteRefusals = 'delete from webhook_refusals where connection_id = $1'

export const deleteOldCounts = 'delete from webhook_refusals where last_at < $1'
