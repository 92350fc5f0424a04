import { listSummaries } from '../../connections/store.ts'
import type { Query } from '../../database/database.ts'
import { listIgnored } from '../../events/store.ts'
import type { Position } from '../../http/paging.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import { scanKeys } from '../../jobs/keys/store.ts'
import { getJob, getJobs } from '../../jobs/store.ts'
import { eventKey } from '../../streams/port.ts'
import { deliveryOfIgnored, deliveryOfJob, statusOf, webhookKeys, type Delivery } from './delivery.ts'
import { findReplayed } from './replays.ts'
import type { DeliveryFilter } from './schemas.ts'

export interface Page {
  deliveries: Delivery[]
  /** Where the next page begins; undefined when there is none. */
  next: Position | undefined
}

/** A filter. What the operation itself replayed counts as not replayed. */
export type Search = DeliveryFilter & { operationId?: string }

export interface PageRequest {
  after?: Position | undefined
  limit: number
}

/** A part of a listing. `reached`: the listing continues after it; undefined: it is at the end. */
interface Part {
  found: Delivery[]
  reached: Position | undefined
}

/** Jobs that one look at the ledger goes through, and looks for one page. */
const scanned = 1_000
const mostScans = 10
/** Jobs or ignored events that are read at once. */
const readAtOnce = 200
const mostOfEvent = 1_000

/** Finds a delivery by the id that its sender got. */
export async function findDelivery (query: Query, id: string): Promise<Delivery | undefined> {
  const job = await getJob(query, id)
  const started = job === undefined ? undefined : deliveryOfJob(job)
  if (started !== undefined) return started
  const [kept] = await listIgnored(query, { deliveryIds: [id], limit: 1 })
  return kept === undefined ? undefined : deliveryOfIgnored(kept)
}

/**
 * Deliveries that meet a filter, newest first. They stand in two places: the ledger has those that
 * started a job, and `ignored_events` has the others. A page looks at 10 000 jobs at most: it may
 * be short, or even empty, and still have a next page.
 */
export async function findDeliveries (query: Query, filter: Search, page: PageRequest): Promise<Page> {
  const wanted = filter.connectionId === undefined
    ? filter
    : { ...filter, connectionId: filter.connectionId.toLowerCase() }
  if (wanted.eventId !== undefined) return findByEvent(query, { ...wanted, eventId: wanted.eventId }, page)
  const [started, ignored] = await Promise.all([findStarted(query, wanted, page), findIgnored(query, wanted, page)])
  return merge([started, ignored], page.limit)
}

function merge (parts: readonly Part[], limit: number): Page {
  const ends = parts.flatMap(({ reached }) => reached ?? []).toSorted(inOrder)
  const [nearest] = ends
  const sorted = parts.flatMap(({ found }) => found).toSorted(inOrder)
  // Behind the nearest end, one of the parts was not searched yet.
  const known = nearest === undefined ? sorted : sorted.filter(delivery => inOrder(delivery, nearest) <= 0)
  const deliveries = known.slice(0, limit)
  return { deliveries, next: deliveries.length < limit ? nearest : deliveries.at(-1) }
}

/** Newest first; those of one millisecond in the order of their ids. */
function inOrder (a: Position, b: Position): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

/**
 * The ids of deliveries are made from the connection and the event, so the hub looks for the event
 * on each connection by its id.
 */
async function findByEvent (
  query: Query,
  filter: Search & { eventId: string },
  { after, limit }: PageRequest
): Promise<Page> {
  const connections = await connectionsOf(query, filter)
  const ids = connections.map(({ provider, connectionId }) =>
    jobIdOf(eventKey({ provider, connectionId, eventId: filter.eventId }))
  )
  const [jobs, kept] = await Promise.all([
    getJobs(query, ids),
    listIgnored(query, { deliveryIds: ids, limit: mostOfEvent })
  ])
  const started = [...jobs.values()].flatMap(job => deliveryOfJob(job) ?? [])
  const matching = [...started, ...kept.map(deliveryOfIgnored)]
    .filter(delivery => matches(delivery, filter) && (after === undefined || inOrder(after, delivery) < 0))
  const found = (await keepReplayed(query, matching, filter.replayed, filter.operationId)).toSorted(inOrder)
  return { deliveries: found.slice(0, limit), next: found.length > limit ? found[limit - 1] : undefined }
}

/** A connection that is named with its provider may be deleted: its deliveries remain. */
async function connectionsOf (
  query: Query,
  { provider, connectionId }: DeliveryFilter
): Promise<{ provider: string, connectionId: string }[]> {
  if (provider !== undefined && connectionId !== undefined) return [{ provider, connectionId }]
  return (await listSummaries(query))
    .filter(({ id, platformType }) => id === (connectionId ?? id) && platformType === (provider ?? platformType))
    .map(({ id, platformType }) => ({ provider: platformType, connectionId: id }))
}

async function findIgnored (
  query: Query,
  { status, replayed, operationId, ...filter }: Search,
  { after, limit }: PageRequest
): Promise<Part> {
  if (status !== undefined && status !== 'ignored') return { found: [], reached: undefined }
  const atOnce = replayed === undefined ? limit : readAtOnce
  const found: Delivery[] = []
  let reached = after
  for (let scan = 0; scan < mostScans; scan++) {
    const read = (await listIgnored(query, { ...filter, after: reached, limit: atOnce })).map(deliveryOfIgnored)
    found.push(...await keepReplayed(query, read, replayed, operationId))
    if (found.length >= limit) return { found: found.slice(0, limit), reached: found[limit - 1] }
    reached = read.length < atOnce ? undefined : read.at(-1)
    if (reached === undefined) break
  }
  return { found, reached }
}

async function findStarted (query: Query, filter: Search, { after, limit }: PageRequest): Promise<Part> {
  if (filter.status === 'ignored') return { found: [], reached: undefined }
  const { provider, connectionId, since, until, replayed, operationId } = filter
  const prefix = provider === undefined ? webhookKeys : `${webhookKeys}${provider}:`
  const found: Delivery[] = []
  let reached = after
  for (let scan = 0; scan < mostScans; scan++) {
    const { ids, last } = await scanKeys(query, { prefix, connectionId, since, until, after: reached, limit: scanned })
    for (let start = 0; start < ids.length; start += readAtOnce) {
      const read = await readStarted(query, ids.slice(start, start + readAtOnce))
      const matching = read.filter(delivery => matches(delivery, filter))
      found.push(...await keepReplayed(query, matching, replayed, operationId))
      if (found.length >= limit) return { found: found.slice(0, limit), reached: found[limit - 1] }
    }
    reached = last
    if (reached === undefined) break
  }
  return { found, reached }
}

async function readStarted (query: Query, ids: readonly string[]): Promise<Delivery[]> {
  const jobs = await getJobs(query, ids)
  return ids.flatMap(id => {
    const job = jobs.get(id)
    return job === undefined ? [] : deliveryOfJob(job) ?? []
  })
}

/** Keeps the deliveries that were replayed, or were not, if the filter asks for either. */
async function keepReplayed (
  query: Query,
  deliveries: Delivery[],
  replayed: boolean | undefined,
  operationId: string | undefined
): Promise<Delivery[]> {
  if (replayed === undefined) return deliveries
  const known = await findReplayed(query, deliveries.map(({ id }) => id), operationId)
  return deliveries.filter(({ id }) => known.has(id) === replayed)
}

/**
 * Whether a delivery meets a filter, as far as its own members tell. The members that the filter
 * leaves out do not matter.
 */
function matches (delivery: Delivery, { eventType, status, since, until }: DeliveryFilter): boolean {
  return (eventType === undefined || delivery.event?.eventType === eventType) &&
    (status === undefined || statusOf(delivery) === status) &&
    (since === undefined || delivery.createdAt >= since) &&
    (until === undefined || delivery.createdAt < until)
}
