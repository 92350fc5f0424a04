import { waitReasons, type WaitReason } from './admission.ts'
import { withoutPlan } from './state.ts'
import type { UpstreamStates } from './states.ts'

export interface ReleasesOptions {
  states: Pick<UpstreamStates, 'change'>
  /** Makes the jobs due that wait for one of these reasons. */
  makeDue(connectionId: string, reasons: readonly WaitReason[]): Promise<void>
  log: { warn(fields: object, message: string): void }
}

/** Makes jobs due at once that wait for a state which has ended. */
export interface Releases {
  /** The breaker of the connection has closed. */
  closed(connectionId: string): Promise<void>
  /** An operator has changed the budget or forgotten the state. */
  changed(connectionId: string): Promise<void>
  stop(): void
}

const againMs = 2_000

export function createReleases ({ states, makeDue, log }: ReleasesOptions): Releases {
  const timers = new Set<NodeJS.Timeout>()

  /**
   * The released jobs give up their places, so the plan begins anew, and does so once more after
   * the release: a job that was refused in between may have got a place behind theirs. Two jobs may
   * then have one place, which is better than a place at which no job comes.
   */
  async function release (connectionId: string, reasons: readonly WaitReason[]): Promise<void> {
    await makeDue(connectionId, reasons)
    await states.change(connectionId, state => ({ state: withoutPlan(state), result: true }))
  }

  /** A job that met the earlier state may be put back only now. */
  function releaseLater (connectionId: string, reasons: readonly WaitReason[]): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      release(connectionId, reasons).catch((error: unknown) => {
        log.warn({ err: error, connectionId }, 'jobs that wait for a platform could not be released')
      })
    }, againMs)
    timers.add(timer.unref())
  }

  return {
    async closed (connectionId) {
      await release(connectionId, waitReasons)
      releaseLater(connectionId, ['circuit-breaker'])
    },
    async changed (connectionId) {
      await release(connectionId, waitReasons)
      releaseLater(connectionId, waitReasons)
    },
    stop () {
      for (const timer of timers) clearTimeout(timer)
    }
  }
}
