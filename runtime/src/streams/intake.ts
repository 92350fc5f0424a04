import { setTimeout as wait } from 'node:timers/promises'
import type { StreamPort } from './port.ts'

/** The webhooks that wait to be stored by this process. */
export interface Intake {
  /** Whether so many webhooks wait that the hub must refuse further ones. */
  isFull(): boolean
  /**
   * Resolves at once while few webhooks wait. Otherwise resolves when few wait again, after
   * `longestPauseMs` at the latest. Consumers and the worker of this process call it before each
   * step, so that webhooks come first: a sender waits for its answer, while a job may run later.
   */
  giveWay(): Promise<void>
}

/** As many wait when 16 senders deliver at the same moment. */
const manyWaiting = 16
/** A hub that stores 1 000 in a second, which is little, answers the last of them in time. */
const mostWaiting = 1_000
/** After each stored batch few webhooks wait for a moment, although the flood goes on. */
const lullMs = 50
/**
 * Work that gives way still makes one step in this time: four claims and four batches of events in
 * a second. With 100 ms a hub that also runs jobs accepted a third fewer webhooks.
 */
const longestPauseMs = 250
const lookEveryMs = 10

export interface IntakeClock {
  nowMs(): number
  wait(ms: number): Promise<unknown>
}

/** Wraps the streams so that each event on its way is counted, and returns both. */
export function watchIntake (
  streams: StreamPort,
  clock: IntakeClock = { nowMs: () => performance.now(), wait }
): { streams: StreamPort, intake: Intake } {
  let waiting = 0
  let lastManyMs = Number.NEGATIVE_INFINITY

  function isBusy (): boolean {
    return waiting >= manyWaiting || clock.nowMs() - lastManyMs < lullMs
  }

  async function counted<Result> (events: number, publish: () => Promise<Result>): Promise<Result> {
    waiting += events
    try {
      return await publish()
    } finally {
      if (waiting >= manyWaiting) lastManyMs = clock.nowMs()
      waiting -= events
    }
  }

  return {
    streams: {
      ...streams,
      publishEvent: event => counted(1, () => streams.publishEvent(event)),
      publishEvents: events => counted(events.length, () => streams.publishEvents(events))
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
