import { setTimeout as sleep } from 'node:timers/promises'
import type { Locks } from '../context.ts'
import { abortError } from './errors.ts'
import type { HostServices } from './services.ts'

const firstWaitMs = 20
const longestWaitMs = 250
/** For calls without a deadline. */
const defaultLeaseMs = 60_000
const shortestLeaseMs = 1_000

export interface LocksOptions {
  connectionId: string
  services: Pick<HostServices, 'acquireLock' | 'releaseLock'>
  /** The limits of the current call. */
  limits(): { signal: AbortSignal, deadline: number | undefined }
  now: () => Date
}

/** Returns the lease of a resource that the call releases at its end. */
export function leaseMsOf (deadline: number | undefined, now: Date): number {
  return deadline === undefined ? defaultLeaseMs : Math.max(shortestLeaseMs, deadline - now.getTime())
}

export function createLocks ({ connectionId, services, limits, now }: LocksOptions): Locks {
  async function acquire (name: string): Promise<string> {
    const { signal, deadline } = limits()
    for (let wait = firstWaitMs;; wait = Math.min(longestWaitMs, wait * 2)) {
      if (signal.aborted) throw abortError(signal)
      const token = await services.acquireLock(connectionId, name, leaseMsOf(deadline, now()))
      if (token !== undefined) return token
      await sleep(wait, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    async run (name, action) {
      const { signal } = limits()
      const token = await acquire(name)
      try {
        // The call may have ended during the request to the host.
        if (signal.aborted) throw abortError(signal)
        return await action()
      } finally {
        await services.releaseLock(connectionId, name, token)
      }
    }
  }
}
