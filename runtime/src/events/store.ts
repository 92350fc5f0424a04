import type { Query } from '../database/database.ts'
import type { Position } from '../http/paging.ts'
import type { IgnoredReason } from './event-to-job.ts'
import type { InboundMessage } from './inbound-fields.ts'
import {
  deleteExcess,
  ignoredAfter,
  insertIgnored,
  selectDeliveryTimes,
  selectIgnored,
  selectReceipt,
  selectSilent,
  selectUnknown,
  updateTextsBefore,
  updateTextsOf,
  upsertReceipts
} from './statements.ts'

/** The last delivery of a connection, as its row stands. Null `jobId`: it started no job. */
export interface ReceiptRow {
  connectionId: string
  /** ISO 8601. */
  deliveredAt: string
  eventType: string
  jobId: string | null
}

/** Stores the last deliveries of connections. Later ones stay; unknown connections are skipped. */
export async function storeReceipts (query: Query, receipts: readonly ReceiptRow[]): Promise<void> {
  await query(upsertReceipts, [JSON.stringify(receipts)])
}

export async function readReceipt (
  query: Query,
  connectionId: string
): Promise<{ at: string, event: string, jobId: string | null } | undefined> {
  const [row] = await query<{ at: string, event: string, jobId: string | null }>(selectReceipt, [connectionId])
  return row
}

/** When the last delivery of each connection came, ISO 8601; none for those that never had one. */
export async function readDeliveryTimes (
  query: Query,
  connectionIds: readonly string[]
): Promise<Map<string, string>> {
  const rows = await query<{ connectionId: string, at: string }>(selectDeliveryTimes, [connectionIds])
  return new Map(rows.map(({ connectionId, at }) => [connectionId, at]))
}

/**
 * Returns those of the connections whose last delivery came before a time. A connection that never
 * had one is left out.
 */
export async function listSilent (
  query: Query,
  connectionIds: readonly string[],
  before: Date
): Promise<{ connectionId: string, since: string }[]> {
  return query<{ connectionId: string, since: string }>(selectSilent, [connectionIds, before])
}

/**
 * An event that started no job. `event`: the `InboundMessage` as JSON. `message`: the fields of its
 * stream message as JSON.
 */
export interface IgnoredRow {
  deliveryId: string
  provider: string
  connectionId: string
  eventId: string
  eventType: string
  reason: IgnoredReason
  event: string
  /** Null for a test: its payload must not take the room of others. */
  message: string | null
}

/**
 * Stores events, then removes the oldest of their connections until each has at most `keptBytes`.
 * Skips events of unknown connections, and events that are stored already.
 */
export async function storeIgnored (query: Query, rows: readonly IgnoredRow[], keptBytes: number): Promise<void> {
  await query(insertIgnored, [JSON.stringify(rows)])
  await query(deleteExcess, [[...new Set(rows.map(row => row.connectionId))], keptBytes])
}

export async function removeIgnoredBefore (query: Query, days: number): Promise<void> {
  await query("delete from ignored_events where ignored_at < now() - $1 * interval '1 day'", [days])
}

/** Removes the texts that the senders sent. Keeps the events themselves. */
export async function removeTextsBefore (query: Query, days: number): Promise<void> {
  await query(updateTextsBefore, [days])
}

/** An event that started no job, as the log of deliveries shows it. */
export interface KeptEvent {
  deliveryId: string
  reason: IgnoredReason
  event: InboundMessage
  /** When the hub ignored it, ISO 8601. */
  createdAt: string
}

export interface IgnoredFilter {
  deliveryIds?: readonly string[] | undefined
  /** The ids of deliveries from `first` to `last`. */
  between?: { first: string, last: string } | undefined
  provider?: string | undefined
  connectionId?: string | undefined
  eventType?: string | undefined
  /** ISO 8601: ignored at this time or later. */
  since?: string | undefined
  /** ISO 8601: ignored before this time. */
  until?: string | undefined
  after?: Position | undefined
  limit: number
}

/** Events that started no job, newest first; those of one millisecond in the order of their ids. */
export async function listIgnored (query: Query, filter: IgnoredFilter): Promise<KeptEvent[]> {
  const { deliveryIds, between, provider, connectionId, eventType, since, until, after, limit } = filter
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    // Not `any`: for the ids of many connections, PostgreSQL would read all events to order them.
    ...(deliveryIds === undefined ? [] : [`delivery_id in (select unnest(${value(deliveryIds)}::uuid[]))`]),
    ...(between === undefined ? [] : [`delivery_id between ${value(between.first)} and ${value(between.last)}`]),
    ...(provider === undefined ? [] : [`provider = ${value(provider)}`]),
    ...(connectionId === undefined ? [] : [`connection_id = ${value(connectionId)}`]),
    ...(eventType === undefined ? [] : [`event_type = ${value(eventType)}`]),
    ...(since === undefined ? [] : [`ignored_at >= ${value(since)}`]),
    ...(until === undefined ? [] : [`ignored_at < ${value(until)}`]),
    ...(after === undefined ? [] : [ignoredAfter(value(after.createdAt), value(after.id))])
  ]
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const rows = await query<Omit<KeptEvent, 'event'> & { event: string }>(
    `${selectIgnored} ${where} order by ignored_at desc, delivery_id limit ${value(limit)}`,
    values
  )
  return rows.map(row => ({ ...row, event: JSON.parse(row.event) as InboundMessage }))
}

/** An event that started no job, because the hub knew no job for its type. */
export interface UnknownEvent {
  connectionId: string
  eventType: string
  /** When the hub ignored it, ISO 8601. */
  at: string
  deliveryId: string
}

const unknownType: IgnoredReason = 'unknown event type'

/**
 * The events of connections in the last days whose type the hub did not know, newest first. One
 * connection cannot take the room of all others, because the hub keeps 1 MiB of ignored events of
 * each.
 */
export async function listUnknownEvents (
  query: Query,
  connectionIds: readonly string[],
  { days, limit }: { days: number, limit: number }
): Promise<UnknownEvent[]> {
  return query<UnknownEvent>(selectUnknown, [connectionIds, unknownType, days, limit])
}

/** Gives the space of removed events back to the table. */
export async function vacuumIgnored (query: Query): Promise<void> {
  await query('vacuum (analyze) ignored_events')
}

/** Removes what senders wrote into the ignored events about these objects of platforms. */
export async function removeTextsOf (
  query: Query,
  objects: readonly { connectionId: string, externalId: string }[]
): Promise<void> {
  await query(updateTextsOf, [
    objects.map(({ connectionId }) => connectionId),
    objects.map(({ externalId }) => externalId)
  ])
}
