import type { CallEffects } from '@linker/sdk/host'
import type { CalledAs, KeptEffects } from '../adapters/kept-effects.ts'
import { jobRequestsOf } from '../adapters/services.ts'
import { storeCursors } from '../adapters/store.ts'
import { requireUnmoved } from '../connections/invocation/require-unmoved.ts'
import type { JobHandler, JobOutcome, RunningJob } from '../jobs/running-job.ts'

/** A job whose handler calls adapters. */
export interface HandledJob extends RunningJob {
  /**
   * Keeps the effects of a call to an adapter: they are stored with the end of the job, if the
   * connection still has the version of `calledAs`.
   */
  keep(connectionId: string, effects: CallEffects, calledAs?: CalledAs): void
}

/**
 * Adds the effects of the calls to adapters, jobs and cursors, to the transaction that ends the
 * job.
 */
function withKept (outcome: JobOutcome, kept: readonly KeptEffects[], requestId: string | undefined): JobOutcome {
  const jobs = kept.flatMap(({ connectionId, effects }) => jobRequestsOf(connectionId, effects.jobs, requestId))
  const cursors = kept.filter(({ effects }) => Object.keys(effects.cursors).length > 0)
  if (jobs.length === 0 && cursors.length === 0) return outcome
  const followUps = [...outcome.followUps ?? [], ...jobs]
  const called = kept.filter(({ effects, calledAs }) =>
    calledAs !== undefined && (effects.jobs.length > 0 || Object.keys(effects.cursors).length > 0)
  )
  if (cursors.length === 0 && called.length === 0) return { ...outcome, followUps }
  return {
    ...outcome,
    followUps,
    async effects (transaction) {
      await requireUnmoved(transaction.query, called)
      for (const { connectionId, effects } of cursors) {
        await storeCursors(transaction.query, connectionId, effects.cursors)
      }
      return outcome.effects?.(transaction)
    }
  }
}

/**
 * Makes the handler that the engine runs: its outcome includes the effects that calls in `handle`
 * kept.
 */
export function keepEffects (handle: (job: HandledJob) => Promise<JobOutcome>): JobHandler {
  return async job => {
    const kept: KeptEffects[] = []
    const outcome = await handle({
      ...job,
      keep (connectionId, effects, calledAs) {
        kept.push({ connectionId, effects, calledAs })
      }
    })
    return withKept(outcome, kept, job.requestId)
  }
}
