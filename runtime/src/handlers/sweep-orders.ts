import { Order, RejectedError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { followPage, PageTrail } from '../adapters/page-trail.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { DateTime } from '../text-patterns.ts'
import { ingestOrder, readingOptions } from '../orders/ingest-order.ts'
import { findUnlisted, listingCapability, markListed } from '../orders/sweep.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import type { JobRequest } from '../jobs/job.ts'
import { callCapability, type CoreHandler, type HandlerServices } from './call-adapter.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { parsePayload } from './payload.ts'
import type { HandledJob } from './kept-effects.ts'

// The longest time for which a journal is kept: no lost event is older.
const journalDays = 60

const Payload = Type.Object({
  /**
   * Lists orders that changed since this time, or within this many days but not before the
   * connection was made: somebody may have handled older orders without the hub.
   */
  updatedSince: Type.Optional(DateTime),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: journalDays })),
  // The id of the job that ran the first slice.
  first: Type.Optional(Type.String()),
  startedAt: Type.Optional(DateTime),
  cursor: Type.Optional(Type.String()),
  trail: Type.Optional(PageTrail)
})
const OrderPage = Type.Object({
  items: Type.Array(Type.Unknown()),
  nextCursor: Type.Optional(Type.String({ minLength: 1 }))
})

const pageSize = 100
const mostPages = 50
const longestMs = 20_000

interface Counts {
  seen: number
  ingested: number
  changed: number
  unreadable: number
}
type SweepJob = HandledJob & { connectionId: string, first: string, opened: OpenConnection }

/**
 * `marketplace.orders.sweep`: lists the orders of a marketplace that changed, for events that were
 * lost, and reads those again that are not in the list and keep pieces from being sold. In slices;
 * one that runs again finds what the first has stored and leaves it alone.
 */
export const sweepOrders: CoreHandler = async (job, services) => {
  const payload = parsePayload(Payload, job.jobType, job.payload)
  if (job.connectionId === null) throw new RejectedError(`${job.jobType} needs a connection`)
  const opened = await services.connections.openEnabled(job.connectionId)
  const capability = listingCapability(opened)
  if (capability === undefined) return { result: { skipped: 'the adapter cannot list orders' } }
  const { first = job.id, startedAt = await databaseTime(services) } = payload
  const updatedSince = sinceOf(payload, services.now(), opened.connection.createdAt)
  const sweep: SweepJob = { ...job, connectionId: job.connectionId, first, opened }
  const counts: Counts = { seen: 0, ingested: 0, changed: 0, unreadable: 0 }
  const began = performance.now()
  let { cursor, trail } = payload
  for (let pages = 0; pages < mostPages && performance.now() - began < longestMs; pages += 1) {
    job.signal.throwIfAborted()
    const request = { limit: pageSize, updatedSince, ...(cursor === undefined ? {} : { cursor }) }
    const page = parseAnswer(
      OrderPage,
      `${capability}.listOrders`,
      await callCapability(services, job, opened, capability, 'listOrders', request)
    )
    await storePage(sweep, services, page.items, counts)
    trail = followPage(trail, {
      method: `${capability}.listOrders`,
      items: page.items.length,
      nextCursor: page.nextCursor
    })
    cursor = page.nextCursor
    if (cursor === undefined) {
      const unlisted = await readUnlisted(sweep, services, startedAt)
      return { result: { updatedSince, ...counts, unlisted } }
    }
  }
  const request = job.requestId === undefined ? {} : { requestId: job.requestId }
  return {
    result: { updatedSince, ...counts, goesOn: true },
    followUps: [{
      jobType: job.jobType,
      connectionId: job.connectionId,
      payload: { updatedSince, first, startedAt, cursor, trail },
      idempotencyKey: `orders-sweep:${first}:${cursor ?? ''}`,
      ...request
    }]
  }
}

function sinceOf ({ updatedSince, days }: Static<typeof Payload>, now: Date, connectedAt: Date): string {
  const daysAgo = now.getTime() - (days ?? journalDays) * 86_400_000
  const since = updatedSince === undefined
    ? new Date(days === undefined ? daysAgo : Math.max(daysAgo, connectedAt.getTime()))
    : new Date(updatedSince)
  if (Number.isNaN(since.getTime())) throw new RejectedError(`updatedSince '${updatedSince}' is no time`)
  return since.toISOString()
}

/**
 * Stores unknown orders as they are listed. A known order in another revision gets a job that reads
 * it, because the list may be older than what a job has read since.
 */
async function storePage (
  job: SweepJob,
  { database, enqueueJobs, log }: HandlerServices,
  items: readonly unknown[],
  counts: Counts
): Promise<void> {
  const { connectionId, opened, requestId } = job
  const orders = items.filter((item): item is Order => Value.Check(Order, item))
  const unreadable = items.length - orders.length
  if (unreadable > 0) {
    log.warn({ connectionId, unreadable, requestId }, 'orders are described in an unknown form; they are left out')
  }
  // An order that was gone may come back in the same revision, so read it again.
  const known = await database.query<{ externalId: string, revision: string | null }>(
    `
    select external_id as "externalId", case when source_status <> 'gone' then revision end as revision
    from orders
    where connection_id = $1 and external_id = any($2)`,
    [connectionId, orders.map(({ externalId }) => externalId)]
  )
  const revisions = new Map(known.map(({ externalId, revision }) => [externalId, revision]))
  const unknown = orders.filter(({ externalId }) => !revisions.has(externalId))
  const changed = orders.filter(({ externalId, revision }) =>
    revisions.has(externalId) && revisions.get(externalId) !== revision
  )
  for (const order of unknown) {
    await repeatOnConflict(() =>
      database.transaction(async transaction => {
        const { isNew, jobs } = await ingestOrder(transaction, connectionId, order, readingOptions(opened, requestId))
        await enqueueJobs(isNew ? jobs : [...jobs, readJob(job, order)], transaction)
      })
    )
  }
  await enqueueJobs(changed.map(order => readJob(job, order)))
  await markListed(database.query, connectionId, orders.map(({ externalId }) => externalId))
  if (unknown.length > 0) database.notify('jobs')
  counts.seen += items.length
  counts.unreadable += unreadable
  counts.ingested += unknown.length
  counts.changed += changed.length
}

/** Reads each order that the list left out: it is unchanged, or it is gone. */
async function readUnlisted (
  job: SweepJob,
  { database, enqueueJobs }: HandlerServices,
  startedAt: string
): Promise<number> {
  const unlisted = await findUnlisted(database.query, job.connectionId, startedAt)
  await enqueueJobs(unlisted.map(externalId => readJob(job, { externalId })))
  return unlisted.length
}

async function databaseTime ({ database }: HandlerServices): Promise<string> {
  const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now')
  if (row === undefined) throw new TypeError('the database does not say what time it is')
  return new Date(row.now).toISOString()
}

function readJob ({ connectionId, first, requestId }: SweepJob, { externalId }: Pick<Order, 'externalId'>): JobRequest {
  return {
    jobType: 'marketplace.order.syncByExternalId',
    connectionId,
    payload: { externalId },
    idempotencyKey: `order-swept:${first}:${externalId}`,
    ...(requestId === undefined ? {} : { requestId })
  }
}
