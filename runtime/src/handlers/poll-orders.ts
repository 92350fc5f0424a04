import { OrderEvent } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { parseAnswer } from '../adapters/parse-answer.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { JobRequest } from '../jobs/job.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import { pollOrders } from '../orders/jobs.ts'
import { remapJobs } from '../orders/lines/remap-jobs.ts'
import { untoldJobs } from '../orders/untold/untold-jobs.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import { eventJob } from './event-job.ts'
import { implementJob, type CheckedJob } from './implement-job.ts'
import { openForOrders, ordersLeft } from './open-for-orders.ts'
import { readJournal } from './read-journal.ts'

const pageSize = 500
const mostPages = 20
const Events = Type.Array(OrderEvent)

/**
 * Reads what a marketplace says of its orders, from its inbox or its journal, and makes the jobs
 * that read the orders themselves.
 */
export default implementJob(pollOrders, async (job, services) => {
  const { connectionId } = job
  const opened = await openForOrders(connectionId, services)
  if (opened === undefined) return { result: ordersLeft }
  const { capabilities } = opened.connection
  // The operator may have taken the capability for orders from the connection.
  if (!capabilities.includes('OrderSource') && !capabilities.includes('Marketplace')) {
    return { result: { skipped: 'the connection has neither OrderSource nor Marketplace' } }
  }
  const outcome = capabilities.includes('OrderSource')
    ? await readInbox(job, services, opened)
    : await readJournal(job, services, opened)
  return {
    ...outcome,
    effects: async ({ query }) => [
      ...await remapJobs(query, { connectionId }, job.id, job.requestId),
      ...await untoldJobs(query, connectionId, job.id, job.requestId)
    ]
  }
})

/**
 * Acknowledges events after the jobs of their orders are stored. Also acknowledges events that
 * concern no order, because they would hide others.
 */
async function readInbox (
  job: CheckedJob,
  services: HandlerServices,
  opened: OpenConnection
): Promise<JobOutcome> {
  const counts = { events: 0, orders: 0 }
  for (let page = 0; page < mostPages; page += 1) {
    job.signal.throwIfAborted()
    const events = parseAnswer(
      Events,
      'OrderSource.listUnread',
      await callCapability(services, job, opened, 'OrderSource', 'listUnread', { limit: pageSize })
    )
    if (events.length === 0) break
    const jobs = orderJobs(job, events)
    await services.enqueueJobs(jobs)
    await callCapability(services, job, opened, 'OrderSource', 'acknowledge', events)
    counts.events += events.length
    counts.orders += jobs.length
    if (events.length < pageSize) break
  }
  return { result: counts }
}

/**
 * Makes one job per order: the job reads the present order, so the newest event stands for all of
 * them.
 */
function orderJobs (
  { connectionId, requestId }: CheckedJob,
  events: readonly OrderEvent[]
): JobRequest[] {
  const newest =
    new Map(events.flatMap(event =>
      event.orderExternalId === undefined ? [] : [[event.orderExternalId, event.eventId] as const]
    ))
  return Array.from(newest, ([externalId, eventId]) => eventJob(connectionId, externalId, eventId, requestId))
}
