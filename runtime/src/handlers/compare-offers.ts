import { RejectedError } from '@linker/sdk'
import { followPage } from '../adapters/page-trail.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import { readTime } from '../database/read-time.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import { isDifferent } from '../offers/compare.ts'
import { compareOffers } from '../offers/jobs.ts'
import { quantityJobs } from '../offers/quantity-jobs.ts'
import { describeFound, type FoundOffer } from '../offers/reconcile/describe-found.ts'
import { createShownReader, type ShownPage, type ShownReader } from '../offers/reconcile/read-shown.ts'
import { recordShown, tellOf } from '../offers/reconcile/record-shown.ts'
import { recordWithinLag } from '../offers/reconcile/record-within-lag.ts'
import { findRefreshed, listExpected } from '../offers/reconcile/store.ts'
import { takeUnwritten } from '../offers/reconcile/unwritten.ts'
import { forgetUnseen } from '../offers/unlinked/store.ts'
import { visibleAfterMsOf } from '../offers/written-offer.ts'
import { findUnexplained, type Unexplained } from '../orders/lines/store.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'
import type { HandledJob } from './kept-effects.ts'
import { jobsOfRecorded } from './recorded-offers.ts'

const mostPages = 50
const longestMs = 20_000
const singlyAtOnce = 50

const none = {
  unwritten: 0,
  compared: 0,
  different: 0,
  frozen: 0,
  statusChanged: 0,
  linked: 0,
  unlinked: 0,
  unreadable: 0
}
type Counts = typeof none

/**
 * Makes jobs for quantities that no job is about to write any more. Then takes over the state of
 * the offers that a marketplace shows, compares their quantity with what was written, and writes
 * again what differs. Links offers that the hub does not know by their reference, or keeps them as
 * unlinked. In slices, like a sweep: a slice that runs again finds the offers of the first run not
 * settled, and leaves them alone. The first slice names pieces that are reserved for no order.
 */
export default implementJob(compareOffers, async (job, services) => {
  const { payload } = job
  const opened = await services.connections.openEnabled(job.connectionId)
  const reader = createShownReader(
    services.database.query,
    opened,
    (capability, method, argument) => callCapability(services, job, opened, capability, method, argument),
    job.signal
  )
  if (payload.offerId !== undefined) return refreshOffer(job, services, opened, reader, payload.offerId)

  const { first = job.id, startedAt = await readTime(services.database.query) } = payload
  const isFirst = payload.first === undefined
  const counts: Counts = { ...none, unwritten: isFirst ? await writeUnwritten(job, services, job.connectionId) : 0 }
  const named = isFirst ? await nameUnexplained(job, services, job.connectionId) : {}
  const began = performance.now()
  let { position, trail } = payload
  let isListed = payload.isListed ?? false
  for (let pages = 0; pages < mostPages && performance.now() - began < longestMs; pages += 1) {
    job.signal.throwIfAborted()
    const page = isListed
      ? await readUnseen(services, opened, reader, startedAt, position)
      : await reader.readPage(position)
    await storePage(services, job, opened, page, counts)
    const isListEnd = !isListed && reader.isList && page.next === undefined
    if (isListEnd) await forgetUnseen(services.database.query, opened.connection.id, startedAt)
    // Follow only the pages of a list: any other position is the hub's own.
    if (!isListed && reader.isList) {
      const items = page.offers.length + page.unreadable
      trail = followPage(trail, { method: reader.listing, items, nextCursor: page.next })
    }
    position = page.next
    if (position === undefined && (isListed || !reader.isList || reader.readEach === undefined)) {
      return { result: { ...counts, ...named } }
    }
    isListed ||= position === undefined
  }
  return {
    result: { ...counts, ...named, goesOn: true },
    followUps: [compareOffers.request({ first, startedAt, isListed, position, trail }, {
      connectionId: job.connectionId,
      key: `offers:${first}:${isListed ? 'unseen' : 'listed'}:${position ?? ''}`,
      requestId: job.requestId
    })]
  }
})

async function writeUnwritten (
  { requestId, signal }: HandledJob,
  { database, enqueueJobs }: HandlerServices,
  connectionId: string
): Promise<number> {
  let found = 0
  let after: string | undefined
  do {
    signal.throwIfAborted()
    const { offerIds, next } = await repeatOnConflict(() =>
      database.transaction(async transaction => {
        const taken = await takeUnwritten(transaction.query, { connectionId, after })
        await enqueueJobs(await quantityJobs(transaction.query, taken, requestId), transaction)
        return taken
      })
    )
    found += offerIds.length
    after = next
  } while (after !== undefined)
  if (found > 0) database.notify('jobs')
  return found
}

/**
 * Finds pieces that no order explains: they are missing from every offer, and nothing else shows
 * it.
 */
async function nameUnexplained (
  { requestId }: HandledJob,
  { database, log }: HandlerServices,
  connectionId: string
): Promise<{ unexplained?: Unexplained[] }> {
  const unexplained = await findUnexplained(database.query, connectionId)
  for (const variant of unexplained) {
    log.warn({ connectionId, requestId, ...variant }, 'more pieces are reserved than orders account for')
  }
  return unexplained.length === 0 ? {} : { unexplained }
}

/** Looks up each offer that the list left out, because a list may be incomplete. */
async function readUnseen (
  { database }: HandlerServices,
  opened: OpenConnection,
  { readEach }: ShownReader,
  startedAt: string,
  after: string | undefined
): Promise<ShownPage> {
  const unseen = await listExpected(database.query, {
    connectionId: opened.connection.id,
    visibleAfterMs: visibleAfterMsOf(opened),
    unseenSince: startedAt,
    after,
    limit: singlyAtOnce
  })
  const last = unseen.length < singlyAtOnce ? undefined : unseen.at(-1)?.id
  const page = unseen.length === 0 || readEach === undefined
    ? { offers: [], absent: [], unreadable: 0 }
    : await readEach(unseen)
  return { ...page, next: last }
}

async function refreshOffer (
  job: HandledJob,
  services: HandlerServices,
  opened: OpenConnection,
  { readEach }: ShownReader,
  offerId: string
): Promise<JobOutcome> {
  const counts: Counts = { ...none }
  if (readEach === undefined) throw new RejectedError('the adapter can only list offers, not read one')
  const offer = await findRefreshed(services.database.query, opened.connection.id, visibleAfterMsOf(opened), offerId)
  if (offer === undefined) return { result: { skipped: 'the marketplace does not have the offer yet' } }
  const page = await readEach([offer])
  // The marketplace may still show a state before the last write: keep it, and write nothing.
  if (offer.staleUntil !== null) {
    const [read] = await services.database.transaction(({ query }) =>
      recordWithinLag(query, opened.connection.id, visibleAfterMsOf(opened), page.offers)
    )
    const found = describeFound(offer, page.offers[0], services.now(), read?.mayBeOlder)
    return { result: { ...whyUnchanged(found), found } }
  }
  const found = describeFound(offer, page.offers[0], services.now())
  await storePage(services, job, opened, page, counts)
  return {
    result: { ...counts, found },
    effects: async ({ query }) => quantityJobs(query, await takeUnwritten(query, { offerId }), job.requestId)
  }
}

function whyUnchanged ({ exists, differs, quantityMayBeOlder }: FoundOffer): { skipped?: string } {
  if (exists && differs.length === 0) return {}
  return {
    skipped: differs.includes('quantity') && !quantityMayBeOlder
      ? 'the hub writes nothing again before the marketplace shows the last write'
      : 'the marketplace may not show the last write yet'
  }
}

async function storePage (
  services: HandlerServices,
  job: HandledJob,
  opened: OpenConnection,
  page: ShownPage,
  counts: Counts
): Promise<void> {
  const { database, enqueueJobs, log } = services
  const { connectionId, requestId } = job
  if (page.unreadable > 0) {
    log.warn(
      { connectionId, unreadable: page.unreadable, requestId },
      'the marketplace describes offers in an unknown form; the hub leaves them unchanged'
    )
  }
  const recorded = await repeatOnConflict(() =>
    database.transaction(async transaction => {
      const found = await recordShown(transaction.query, opened, page)
      await enqueueJobs(await jobsOfRecorded(transaction.query, opened.connection.id, found, requestId), transaction)
      return found
    })
  )
  const { comparisons, offerIds, statusChanged, mapped } = recorded
  if (offerIds.length > 0) database.notify('jobs')
  tellOf(log, recorded, { connectionId, requestId })
  counts.linked += mapped.linkedIds.length
  counts.unlinked += mapped.unlinked
  counts.compared += comparisons.length
  counts.different += comparisons.filter(isDifferent).length
  counts.frozen += comparisons.filter(({ isFrozen }) => isFrozen).length
  counts.statusChanged += statusChanged
  counts.unreadable += page.unreadable
}
