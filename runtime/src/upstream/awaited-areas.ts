import { LRUCache } from 'lru-cache'
import type { Area } from './areas.ts'
import type { CallUnderWay } from './calls.ts'

/** The areas for which jobs waited in their last runs, as far as this process ran them. */
export interface AwaitedAreas {
  areaOf(call: CallUnderWay): Area
  /** The job of the call waits for an area now. */
  note(call: CallUnderWay, area: Area): void
  /** The area works for the job of the call. */
  forget(call: CallUnderWay, area: Area): void
}

const mostJobs = 10_000

export function createAwaitedAreas (): AwaitedAreas {
  const areas = new LRUCache<string, string>({ max: mostJobs })
  const keyOf = ({ jobId, connectionId }: CallUnderWay): string => `${jobId} ${connectionId}`
  return {
    areaOf: call => call.jobId === undefined ? undefined : areas.get(keyOf(call)),
    note (call, area) {
      if (call.jobId !== undefined && area !== undefined) areas.set(keyOf(call), area)
    },
    forget (call, area) {
      if (call.jobId !== undefined && area !== undefined) areas.delete(keyOf(call))
    }
  }
}
