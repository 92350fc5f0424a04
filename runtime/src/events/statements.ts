import { joinPresent } from '../connections/statements.ts'
import { isoOf } from '../database/iso-of.ts'

/** Stores the last deliveries. Keeps a stored delivery that is newer; skips unknown connections. */
export const upsertReceipts = `
  insert into webhook_receipts (connection_id, delivered_at, event_type, job_id)
  select given."connectionId", given."deliveredAt", given."eventType", given."jobId"
  from jsonb_to_recordset($1::jsonb) as given (
    "connectionId" uuid, "deliveredAt" timestamptz, "eventType" text, "jobId" uuid
  )
  ${joinPresent}
  on conflict (connection_id) do update set
    delivered_at = excluded.delivered_at,
    event_type = excluded.event_type,
    job_id = excluded.job_id
  where webhook_receipts.delivered_at <= excluded.delivered_at`

export const selectReceipt = `
  select ${isoOf('delivered_at')} as at, event_type as event, job_id as "jobId"
  from webhook_receipts
  where connection_id = $1`

/** Stores ignored events. Skips unknown connections, and events that are stored already. */
export const insertIgnored = `
  insert into ignored_events (
    delivery_id, provider, connection_id, event_id, event_type, reason, event, message
  )
  select
    given."deliveryId", given.provider, given."connectionId", given."eventId", given."eventType",
    given.reason, given.event, given.message
  from json_to_recordset($1::json) as given (
    "deliveryId" uuid, provider text, "connectionId" uuid, "eventId" text, "eventType" text, reason text,
    event text, message text
  )
  ${joinPresent}
  on conflict (connection_id, event_id) do nothing`

/**
 * Deletes the oldest ignored events of each connection until the others have at most `$2` bytes.
 * `bytes` is the size of an event with its message, and of all newer ones of its connection.
 */
export const deleteExcess = `
  delete from ignored_events
  using (
    select id, sum(octet_length(event) + coalesce(octet_length(message), 0)) over (
      partition by connection_id order by id desc
    ) as bytes
    from ignored_events
    where connection_id = any($1::uuid[])
  ) as sums
  where sums.id = ignored_events.id and sums.bytes > $2`

export const countReceipts = 'select count(*)::integer as count from webhook_receipts where connection_id = $1'

export const deleteReceipts = 'delete from webhook_receipts where connection_id = $1'

export const countIgnored = 'select count(*)::integer as count from ignored_events where connection_id = $1'

export const deleteIgnored = 'delete from ignored_events where connection_id = $1'

export const updateTextsBefore = `
  update ignored_events
  set message = null
  where ignored_at < now() - $1 * interval '1 day' and message is not null`

/**
 * Removes the texts of the ignored events about objects of platforms: `$1` are their connections,
 * `$2` their ids there.
 */
export const updateTextsOf = `
  update ignored_events
  set message = null
  where connection_id = any($1::uuid[])
    and message is not null
    and (connection_id, event::json ->> 'externalId') in (select * from unnest($1::uuid[], $2::text[]))`

export const selectIgnored = `
  select delivery_id as "deliveryId", reason, event, ${isoOf('ignored_at')} as "createdAt"
  from ignored_events`

export const selectUnknown = `
  select
    connection_id as "connectionId", event_type as "eventType", ${isoOf('ignored_at')} as at,
    delivery_id as "deliveryId"
  from ignored_events
  where connection_id = any($1::uuid[])
    and reason = $2
    and ignored_at >= now() - $3 * interval '1 day'
  order by ignored_at desc, id desc
  limit $4`

/** SQL: whether an ignored event comes after a position of a listing. */
export function ignoredAfter (createdAt: string, id: string): string {
  return `ignored_at <= ${createdAt} and (ignored_at < ${createdAt} or delivery_id > ${id})`
}

/** When the last deliveries of connections `$1` came. */
export const selectDeliveryTimes = `
  select connection_id as "connectionId", ${isoOf('delivered_at')} as at
  from webhook_receipts
  where connection_id = any($1::uuid[])`

/** The last deliveries of connections `$1` that are older than `$2`. */
export const selectSilent = `
  select connection_id as "connectionId", ${isoOf('delivered_at')} as since
  from webhook_receipts
  where connection_id = any($1::uuid[]) and delivered_at < $2`
