import { OrderEventPage, RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { followPage, PageTrail } from '../adapters/page-trail.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import type { JobRequest } from '../jobs/job.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import { pollOrders, sweepOrders } from '../orders/jobs.ts'
import { moveJournalCursor, readJournalCursor } from '../orders/journal-cursor.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import { eventJob } from './event-job.ts'
import type { CheckedJob } from './implement-job.ts'

const SlicePayload = Type.Object({ trail: PageTrail })

const pageSize = 500
const mostPages = 20
const longestMs = 20_000

/**
 * Reads the order journal of a marketplace from the cursor on. Makes one job per event, because an
 * adapter may show an event twice. Stores the cursor of a page and the jobs of its events in one
 * transaction, so the cursor is never ahead of the jobs. Does not move a cursor that another run
 * has moved meanwhile.
 */
export async function readJournal (
  job: CheckedJob,
  services: HandlerServices,
  opened: OpenConnection
): Promise<JobOutcome> {
  const began = performance.now()
  const counts = { events: 0, newEvents: 0, incomplete: 0 }
  let trail = Value.Check(SlicePayload, job.payload) ? job.payload.trail : undefined
  for (let pages = 0; pages < mostPages && performance.now() - began < longestMs; pages += 1) {
    job.signal.throwIfAborted()
    const from = await readJournalCursor(services.database.query, job.connectionId)
    const request = { limit: pageSize, ...(from === undefined ? {} : { cursor: from }) }
    const page = parseAnswer(
      OrderEventPage,
      'Marketplace.listOrderEvents',
      await callCapability(services, job, opened, 'Marketplace', 'listOrderEvents', request)
    )
    const { newEvents, isMoved } = await storePage(job, services, from, page)
    counts.events += page.events.length
    counts.newEvents += newEvents
    counts.incomplete += Number(page.isIncomplete === true)
    if (page.isIncomplete === true) {
      services.log.warn(
        { connectionId: job.connectionId, requestId: job.requestId },
        'the order journal lost events; the hub lists the orders instead'
      )
    }
    if (!isMoved) return { result: { ...counts, skipped: 'another run has already read this part of the journal' } }
    if (!page.hasMore) return { result: counts }
    const { events, cursor: nextCursor } = page
    trail = followPage(trail, { method: 'Marketplace.listOrderEvents', items: events.length, nextCursor })
    if (page.cursor === undefined || page.cursor === from) {
      throw new RejectedError('Marketplace.listOrderEvents announced more events but returned no new cursor')
    }
  }
  const { connectionId, requestId } = job
  const followUp = pollOrders.request(trail === undefined ? {} : { trail }, {
    connectionId,
    key: `orders-poll:${job.id}`,
    requestId
  })
  return { result: { ...counts, goesOn: true }, followUps: [followUp] }
}

async function storePage (
  job: CheckedJob,
  { database, enqueueJobs }: HandlerServices,
  from: string | undefined,
  { events, cursor, isIncomplete }: OrderEventPage
): Promise<{ newEvents: number, isMoved: boolean }> {
  const { connectionId, requestId } = job
  const jobs = events.flatMap(({ orderExternalId, eventId }) =>
    orderExternalId === undefined ? [] : [eventJob(connectionId, orderExternalId, eventId, requestId)]
  )
  const sweep: JobRequest[] = isIncomplete === true
    ? [sweepOrders.request({}, {
      connectionId,
      key: `orders-sweep:${connectionId}:${from ?? ''}:${cursor ?? ''}`,
      requestId
    })]
    : []
  const stored = await repeatOnConflict(() =>
    database.transaction(async transaction => {
      const isMoved = cursor === undefined || cursor === from ||
        await moveJournalCursor(transaction.query, connectionId, from, cursor)
      const enqueued = await enqueueJobs([...jobs, ...sweep], transaction)
      return { isMoved, newEvents: enqueued.slice(0, jobs.length).filter(({ isNew }) => isNew).length }
    })
  )
  if (jobs.length + sweep.length > 0) database.notify('jobs')
  return stored
}
