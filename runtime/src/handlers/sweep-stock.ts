import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { followPage, PageTrail } from '../adapters/page-trail.ts'
import { isPaused } from '../connections/pauses/refuse-paused.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import { sweepStock } from '../stock/jobs.ts'
import type { Sweep } from '../stock/sweeps/store.ts'
import { finishSweep, openSweep, SweepTakenError } from '../stock/sweeps/sweep.ts'
import { callCapability, type HandlerServices } from './call-adapter.ts'
import { implementJob, type CheckedJob } from './implement-job.ts'
import { takeStep, type Sweeping } from './sweep-steps.ts'

const SlicePayload = Type.Object({ sweepId: Type.String(), trail: PageTrail })

const mostSteps = 50
const longestMs = 20_000
const hopeless: ReadonlySet<string> = new Set([
  AdapterErrorCode.rejected,
  AdapterErrorCode.notFound,
  AdapterErrorCode.configuration
])

/**
 * Compares all stock of a master shop with the stored stock, and repairs it. Each job runs one
 * slice: it continues the sweep of the connection, or starts one, and leaves the rest to the next
 * job. The sweep's row holds the whole state, so any job can continue, and a run that dies loses
 * only its page.
 */
export default implementJob(sweepStock, async (job, services) => {
  const { connectionId } = job
  const opened = await services.connections.openEnabled(connectionId)
  const { adapter } = opened
  const sweep = await openSweep(
    services.database.query,
    connectionId,
    job.id,
    `${adapter.manifest.adapterKey}@${adapter.version}`
  )
  if (sweep === undefined) return { result: { skipped: 'this sweep has ended' } }
  let trail = trailOf(job.payload, sweep)
  const sweeping: Sweeping = {
    connectionId,
    services,
    canReadProducts: opened.connection.capabilities.includes('ProductMaster') &&
      !isPaused(opened.connection, 'ProductMaster'),
    call: (capability, method, argument) => callCapability(services, job, opened, capability, method, argument),
    readStock: productExternalId => services.stockReads.read(job, opened, productExternalId),
    follow (page) {
      trail = followPage(trail, page)
    }
  }
  try {
    return await runSlice(job, sweeping, sweep, () => trail)
  } catch (error) {
    if (error instanceof SweepTakenError) return { result: { sweepId: sweep.id, skipped: error.message } }
    throw error
  }
})

async function runSlice (
  job: CheckedJob,
  sweeping: Sweeping,
  begun: Sweep,
  trail: () => PageTrail | undefined
): Promise<JobOutcome> {
  const startedAt = performance.now()
  let sweep = begun
  for (let steps = 0; steps < mostSteps && performance.now() - startedAt < longestMs; steps += 1) {
    job.signal.throwIfAborted()
    const step = await takeStep(sweeping, sweep).catch(async (error: unknown) => {
      throw await giveUpIfHopeless(sweeping.services, sweep, error)
    })
    sweep = step.sweep
    if (step.outcome === undefined) continue
    report(sweeping, sweep, step.outcome, step.problem)
    return { result: { ...summaryOf(sweep), outcome: step.outcome, problem: step.problem } }
  }
  return {
    result: { ...summaryOf(sweep), outcome: 'running' },
    followUps: [sweepStock.request(trail() === undefined ? {} : { sweepId: sweep.id, trail: trail() }, {
      connectionId: sweeping.connectionId,
      key: `sweep:${sweep.id}:${sweep.steps}`,
      requestId: job.requestId
    })]
  }
}

/**
 * The trail that the slice before has handed on. A job that somebody else made begins a new trail,
 * so an endless listing is found a little later.
 */
function trailOf (payload: unknown, { id }: Sweep): PageTrail | undefined {
  return Value.Check(SlicePayload, payload) && payload.sweepId === id ? payload.trail : undefined
}

/**
 * Abandons the sweep when the platform refuses for good: the next job would be refused too, and
 * starts anew.
 */
async function giveUpIfHopeless ({ database }: HandlerServices, sweep: Sweep, error: unknown): Promise<unknown> {
  if (isAdapterError(error) && hopeless.has(error.code)) {
    await database.transaction(({ query }) => finishSweep(query, sweep, 'abandoned', error.message)).catch(() =>
      undefined
    )
  }
  return error
}

function report (
  { services: { log }, connectionId }: Sweeping,
  sweep: Sweep,
  outcome: 'complete' | 'held',
  problem: string | undefined
): void {
  const fields = { connectionId, ...summaryOf(sweep) }
  if (outcome === 'held') {
    log.warn({ ...fields, problem }, 'a sweep found too many variants missing and set no stock to zero')
  } else if (sweep.missing > 0) {
    log.warn(fields, 'a sweep set stock to zero for variants that the master no longer has')
  } else if (sweep.changed > 0) log.info(fields, 'a sweep repaired stock')
}

function summaryOf ({ id, pages, seen, changed, missing }: Sweep): object {
  return { sweepId: id, pages, seen, changed, missing }
}
