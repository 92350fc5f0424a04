import { isInfrastructureError } from '../database/infrastructure-error.ts'
import type { StreamLog, StreamPort } from './port.ts'

/** A write that is older says little about the next one. */
const renewAfterMs = 10_000

/**
 * Wraps the streams so that `ping` tells how the last publication ended: a replica, a full server
 * and a read-only database answer, but take no events. Call `renew` every second. It writes when
 * the last publication is old, and after one that failed, so that `ping` is true again soon.
 */
export function watchWrites (
  streams: StreamPort,
  log: StreamLog,
  nowMs: () => number = () => performance.now()
): { streams: StreamPort, renew: () => Promise<void> } {
  let endedAtMs = nowMs()
  let failure: unknown

  async function watched<Result> (
    write: () => Promise<Result>,
    isWritten: (result: Result) => boolean
  ): Promise<Result> {
    try {
      const result = await write()
      if (isWritten(result)) ended(undefined)
      return result
    } catch (error) {
      if (isInfrastructureError(error)) ended(error)
      throw error
    }
  }

  function ended (error: unknown): void {
    if (error !== undefined && failure === undefined) log.warn({ err: error }, 'the streams took no write')
    failure = error
    endedAtMs = nowMs()
  }

  return {
    streams: {
      ...streams,
      // A duplicate and a stale event are answered without a write.
      publishEvent: event => watched(() => streams.publishEvent(event), result => result === 'published'),
      publishEvents: events => watched(() => streams.publishEvents(events), results => results.includes('published')),
      async ping () {
        // The failure first: it names the reason for which the hub may be connecting again.
        if (failure !== undefined) throw failure
        await streams.ping()
      }
    },
    async renew () {
      if (failure === undefined && nowMs() - endedAtMs < renewAfterMs) return
      await watched(streams.touch, () => true).catch((error: unknown) => {
        if (!isInfrastructureError(error)) throw error
      })
    }
  }
}
