import { Order, RejectedError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { followPage } from '../adapters/page-trail.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { beginOrdersAt } from '../connections/accounts/store.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import { readTime } from '../database/read-time.ts'
import type { JobRequest } from '../jobs/job.ts'
import { ingestOrder, readingOptions } from '../orders/ingest-order.ts'
import { journalDays, sweepOrders, syncOrder } from '../orders/jobs.ts'
import { findUnlisted, markListed, readRevisions } from '../orders/store.ts'
import { listingCapability } from '../orders/sweep.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import { implementJob, type CheckedJob } from './implement-job.ts'
import { openForOrders, ordersLeft } from './open-for-orders.ts'

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
type SweepJob = CheckedJob & { first: string, opened: OpenConnection }

/**
 * Lists the orders of a marketplace that changed, because events may be lost. Then reads the orders
 * again that are not in the list and keep pieces from being sold. In slices: a slice that runs
 * again finds what the first run has stored and leaves it alone.
 */
export default implementJob(sweepOrders, async (job, services) => {
  const { payload } = job
  const opened = await openForOrders(job.connectionId, services)
  if (opened === undefined) return { result: ordersLeft }
  const capability = listingCapability(opened)
  if (capability === undefined) return { result: { skipped: 'the adapter cannot list orders' } }
  const { first = job.id, startedAt = new Date(await readTime(services.database.query)).toISOString() } = payload
  const updatedSince = sinceOf(payload, services.now(), opened.connection.createdAt)
  // An operator who names a time wants the orders since then, also those of an earlier connection.
  if (payload.first === undefined && payload.updatedSince !== undefined) {
    await beginOrdersAt(services.database.query, job.connectionId, updatedSince)
  }
  const sweep: SweepJob = { ...job, first, opened }
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
  return {
    result: { updatedSince, ...counts, goesOn: true },
    followUps: [sweepOrders.request({ updatedSince, first, startedAt, cursor, trail }, {
      connectionId: job.connectionId,
      key: `orders-sweep:${first}:${cursor ?? ''}`,
      requestId: job.requestId
    })]
  }
})

function sinceOf ({ updatedSince, days }: Static<typeof sweepOrders.payload>, now: Date, connectedAt: Date): string {
  const daysAgo = now.getTime() - (days ?? journalDays) * 86_400_000
  const since = updatedSince === undefined
    ? new Date(days === undefined ? daysAgo : Math.max(daysAgo, connectedAt.getTime()))
    : new Date(updatedSince)
  if (Number.isNaN(since.getTime())) throw new RejectedError(`updatedSince '${updatedSince}' is not a time`)
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
    log.warn(
      { connectionId, unreadable, requestId },
      'the marketplace describes orders in an unknown form; the hub skips them'
    )
  }
  const revisions = await readRevisions(database.query, connectionId, orders.map(({ externalId }) => externalId))
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

function readJob ({ connectionId, first, requestId }: SweepJob, { externalId }: Pick<Order, 'externalId'>): JobRequest {
  return syncOrder.request({ externalId }, { connectionId, key: `order-swept:${first}:${externalId}`, requestId })
}
