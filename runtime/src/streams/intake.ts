import { setTimeout as wait } from 'node:timers/promises'
import type { StreamPort } from './port.ts'

/**
 * Resolves at once, unless many webhooks wait to be stored by this process: then when that is over,
 * at the latest after `longestPauseMs`.
 */
export type GiveWay = () => Promise<void>

/** Senders that deliver one by one do not reach this number: more webhooks come than go. */
const manyWaiting = 16
/** Webhooks are stored in batches, and few wait for a moment after each. */
const lullMs = 50
/** The work that gives way goes on with one step in this time, so that it never stands still. */
const longestPauseMs = 100
const lookEveryMs = 10

export interface IntakeClock {
  nowMs(): number
  wait(ms: number): Promise<unknown>
}

/**
 * Returns the streams, and what work of this process calls before each step, so that webhooks come
 * first: a sender waits for its answer, while a job may run later.
 */
export function watchIntake (
  streams: StreamPort,
  clock: IntakeClock = { nowMs: () => performance.now(), wait }
): { streams: StreamPort, giveWay: GiveWay } {
  let waiting = 0
  let lastManyMs = Number.NEGATIVE_INFINITY

  function isBusy (): boolean {
    return waiting >= manyWaiting || clock.nowMs() - lastManyMs < lullMs
  }

  return {
    streams: {
      ...streams,
      async publishEvent (event) {
        waiting += 1
        try {
          return await streams.publishEvent(event)
        } finally {
          if (waiting >= manyWaiting) lastManyMs = clock.nowMs()
          waiting -= 1
        }
      }
    },
    async giveWay () {
      for (const end = clock.nowMs() + longestPauseMs; isBusy() && clock.nowMs() < end;) await clock.wait(lookEveryMs)
    }
  }
}
