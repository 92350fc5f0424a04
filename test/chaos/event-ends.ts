import type { ApiClient } from '../support/api.ts'
import { eventually } from '../support/api.ts'
import type { Mode } from '../support/modes.ts'
import { dumpEvents } from './dump-events.ts'
import { hasEnded, listByEvent, type EventJob } from './jobs.ts'

/** What became of acknowledged events. Each must be zero. */
export interface EventCounts {
  lost: number
  publishedTwice: number
  ranTwice: number
}

/** The hub claims the work of a killed hub within 15 s; this is four times as long. */
const standstillMs = 60_000

/**
 * Waits until every event has a job that ended, or until no more jobs end. Returns the jobs of each
 * event that has one.
 */
export async function waitForEnds (
  call: ApiClient,
  connectionId: string,
  eventIds: readonly string[]
): Promise<Map<string, EventJob[]>> {
  let last = { ended: -1, at: 0 }
  return eventually('the end of every job', async () => {
    const jobs = await listByEvent(call, connectionId)
    const ended = eventIds.filter(eventId => jobs.get(eventId)?.some(hasEnded)).length
    if (ended > last.ended) last = { ended, at: performance.now() }
    return ended === eventIds.length || performance.now() - last.at > standstillMs ? jobs : undefined
  }, Infinity)
}

/** Counts in the state that a stopped hub left. */
export async function countEvents (
  mode: Mode,
  variables: Record<string, string>,
  directory: string,
  acknowledged: ReadonlySet<string>,
  jobs: ReadonlyMap<string, EventJob[]>
): Promise<EventCounts> {
  const published = Map.groupBy(await dumpEvents(mode, variables, directory), eventId => eventId)
  const ids = [...acknowledged]
  return {
    lost: ids.filter(eventId => !published.has(eventId) || !jobs.get(eventId)?.some(hasEnded)).length,
    publishedTwice: ids.filter(eventId => (published.get(eventId)?.length ?? 0) > 1).length,
    ranTwice: ids.filter(eventId => (jobs.get(eventId)?.length ?? 0) > 1).length
  }
}
