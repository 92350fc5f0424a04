import { setImmediate as turn } from 'node:timers/promises'
import { createConsumer, type ConsumerOptions } from '../../src/events/consumer.ts'
import type { MessageOutcome } from '../../src/events/message-outcome.ts'
import type { Entry } from '../../src/streams/port.ts'
import { silentLog } from '../streams/drivers.ts'

export const acknowledge: MessageOutcome = { kind: 'acknowledge' }
export const entry = (id: string, deliveries = 1): Entry => ({ id, fields: {}, deliveries })

/**
 * Makes a stream that hands out the given batches and then waits for the abort. The stream records
 * its calls.
 */
export function streamOf (...batches: Entry[][]) {
  const acknowledged: string[] = []
  const dead: { id: string, reason: string }[] = []
  const consumers: string[] = []
  const ahead: Entry[][] = []
  const calls = { claims: 0, reads: 0, looks: 0 }
  return {
    acknowledged,
    dead,
    consumers,
    ahead,
    calls,
    streams: {
      async ensureGroup () {},
      async read ({ signal, consumer }): Promise<Entry[]> {
        calls.reads++
        consumers.push(consumer)
        const batch = batches.shift()
        if (batch !== undefined) return batch
        await new Promise<void>(resolve => {
          if (signal.aborted) resolve()
          else {
            signal.addEventListener('abort', () => {
              resolve()
            }, { once: true })
          }
        })
        return []
      },
      async readAhead () {
        calls.looks++
        return { entries: ahead.shift() ?? [], isEnd: true }
      },
      async claimIdle () {
        calls.claims++
        return []
      },
      async acknowledge (_stream, _group, ids) {
        acknowledged.push(...ids)
      },
      async deadLetter ({ id, reason }) {
        dead.push({ id, reason })
      }
    } satisfies ConsumerOptions['streams']
  }
}

export function consumerOf (
  streams: ConsumerOptions['streams'],
  handle: ConsumerOptions['handle'],
  more: Partial<ConsumerOptions> = {}
) {
  return createConsumer({
    streams,
    stream: 'a.stream',
    group: 'a-group',
    consumer: 'a-group-1',
    log: silentLog,
    random: () => 0,
    backoffMs: () => 1,
    ...more,
    handle
  })
}

export async function until (isTrue: () => boolean): Promise<void> {
  const end = AbortSignal.timeout(120_000)
  while (!isTrue()) {
    end.throwIfAborted()
    await turn()
  }
}
