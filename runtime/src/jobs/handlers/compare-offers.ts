import { RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { isDifferent, storeComparisons, warningsOf, type Comparison } from '../../offers/compare.ts'
import { createShownReader } from '../../offers/read-shown.ts'
import { repeatOnConflict } from '../conflict.ts'
import type { RunningJob } from '../handler.ts'
import { callCapability, type CoreHandler, type HandlerServices } from './handler.ts'
import { parsePayload } from './payload.ts'
import { quantityJobs } from './propagate-stock.ts'

const Payload = Type.Object({ first: Type.Optional(Type.String()), position: Type.Optional(Type.String()) })

const mostPages = 50
const longestMs = 20_000

/**
 * `marketplace.offers.sync`: compares what a marketplace shows of the linked offers with what was written, and writes what differs again. In slices, like a
 * sweep; one that runs again finds what the first has seen to not settled, and leaves it alone.
 */
export const compareShownOffers: CoreHandler = async (job, services) => {
  const { first = job.id, position: begun } = parsePayload(Payload, job.jobType, job.payload)
  if (job.connectionId === null) throw new RejectedError(`${job.jobType} needs a connection`)
  const { connectionId } = job
  const opened = await services.connections.openEnabled(connectionId)
  const readShown = createShownReader(services.database.query, opened, (capability, method, argument) => callCapability(services, job, opened, capability, method, argument))
  const startedAt = performance.now()
  const counts = { compared: 0, different: 0, frozen: 0 }
  let position = begun
  for (let pages = 0; pages < mostPages && performance.now() - startedAt < longestMs; pages += 1) {
    job.signal.throwIfAborted()
    const { comparisons, next } = await readShown(position)
    await storePage(services, job, comparisons)
    counts.compared += comparisons.length
    counts.different += comparisons.filter(isDifferent).length
    counts.frozen += comparisons.filter(({ isFrozen }) => isFrozen).length
    if (next === undefined) return { result: counts }
    position = next
  }
  const request = job.requestId === undefined ? {} : { requestId: job.requestId }
  return { result: { ...counts, goesOn: true }, followUps: [{ jobType: job.jobType, connectionId, payload: { first, position }, idempotencyKey: `offers:${first}:${position}`, ...request }] }
}

async function storePage ({ database, enqueueJobs, log }: HandlerServices, job: RunningJob, comparisons: readonly Comparison[]): Promise<void> {
  for (const comparison of comparisons) {
    const { offer: { id, externalId } } = comparison
    for (const { code, message } of warningsOf(comparison)) log.warn({ code, offerId: id, externalId, connectionId: job.connectionId, requestId: job.requestId }, message)
  }
  if (comparisons.length === 0) return
  const isWritten = await repeatOnConflict(() => database.transaction(async transaction => {
    const offerIds = await storeComparisons(transaction.query, comparisons)
    await enqueueJobs(await quantityJobs(transaction.query, { offerIds }, job.requestId), transaction)
    return offerIds.length > 0
  }))
  if (isWritten) database.notify('jobs')
}
