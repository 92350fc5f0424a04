import { waitReasons, type WaitReason } from './admission.ts'
import { changePart, type Area } from './areas.ts'
import { awaitedPart } from './calls.ts'
import { withoutPlan } from './state.ts'
import type { UpstreamStates } from './states.ts'

export interface ReleasesOptions {
  states: Pick<UpstreamStates, 'change'>
  /** Makes the jobs due that wait for one of these parts of a connection. */
  makeDue(connectionId: string, parts: readonly string[]): Promise<void>
  log: { warn(fields: object, message: string): void }
}

/** Makes jobs due at once that wait for a state which has ended. */
export interface Releases {
  /** The breaker of the connection, or of an area, has closed, or its rest has ended early. */
  closed(connectionId: string, area: Area): Promise<void>
  /** An operator has changed the budget or forgotten the state. `areas`: those that it named. */
  changed(connectionId: string, areas: readonly string[]): Promise<void>
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
  async function release (connectionId: string, area: Area, reasons: readonly WaitReason[]): Promise<void> {
    await makeDue(connectionId, reasons.map(reason => awaitedPart(reason, area)))
    await states.change(connectionId, state => ({ state: changePart(state, area, withoutPlan), result: true }))
  }

  /** A job that met the earlier state may be put back only now. */
  function releaseLater (connectionId: string, area: Area, reasons: readonly WaitReason[]): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      release(connectionId, area, reasons).catch((error: unknown) => {
        log.warn({ err: error, connectionId, area }, 'jobs that wait for a platform could not be released')
      })
    }, againMs)
    timers.add(timer.unref())
  }

  return {
    async closed (connectionId, area) {
      await release(connectionId, area, waitReasons)
      releaseLater(connectionId, area, ['circuit-breaker', 'unavailable'])
    },
    async changed (connectionId, areas) {
      for (const area of [undefined, ...areas]) {
        await release(connectionId, area, waitReasons)
        releaseLater(connectionId, area, waitReasons)
      }
    },
    stop () {
      for (const timer of timers) clearTimeout(timer)
    }
  }
}
