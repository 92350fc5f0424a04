import { setTimeout as wait } from 'node:timers/promises'
import type { StreamPort } from './port.ts'

/** The webhooks that wait to be stored by this process. */
export interface Intake {
  /** Whether so many wait that further ones would wait too long: refuse them. */
  isFull(): boolean
  /**
   * Resolves at once, unless many wait: then when that is over, at the latest after
   * `longestPauseMs`. Work of this process calls it before each step, so that webhooks come first:
   * a sender waits for its answer, while a job may run later.
   */
  giveWay(): Promise<void>
}

/** Senders that deliver one by one do not reach this number: more webhooks come than go. */
const manyWaiting = 16
/** A hub that stores 1 000 in a second, which is little, answers the last of them in time. */
const mostWaiting = 1_000
/** Webhooks are stored in batches, and few wait for a moment after each. */
const lullMs = 50
/** The work that gives way goes on with one step in this time, so that it never stands still. */
const longestPauseMs = 100
const lookEveryMs = 10

export interface IntakeClock {
  nowMs(): number
  wait(ms: number): Promise<unknown>
}

/** Returns the streams, which count what they store, and the count. */
export function watchIntake (
  streams: StreamPort,
  clock: IntakeClock = { nowMs: () => performance.now(), wait }
): { streams: StreamPort, intake: Intake } {
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
    intake: {
      isFull: () => waiting >= mostWaiting,
      async giveWay () {
        for (const end = clock.nowMs() + longestPauseMs; isBusy() && clock.nowMs() < end;) {
          await clock.wait(lookEveryMs)
        }
      }
    }
  }
}
