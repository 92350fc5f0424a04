import { signWebhook } from '@linker/sdk'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'

export interface Sending {
  acknowledged: ReadonlySet<string>
  finished: Promise<number>
  /** Resolves with the answer that brings the number to `count`. */
  acknowledgedSoMany(count: number): Promise<void>
}

/** Requests under way. */
export const concurrency = 16
const retryMs = 250

export interface SendingOptions {
  /** Where the next delivery goes. */
  addressOf(): string
  secret: string
  eventIds: Iterable<string>
  /** Each of the senders waits so long after a delivery. Default: not at all. */
  pauseMs?: number
}

/** Sends every event until the hub answers 202, as the shop's module does. */
export function sendAll ({ addressOf, secret, eventIds, pauseMs = 0 }: SendingOptions): Sending {
  const acknowledged = new Set<string>()
  const waiting = new Set<{ count: number, resolve(): void }>()
  // The senders share it.
  const queue = numbered(eventIds)
  let attempts = 0

  function look (): void {
    for (const entry of waiting) if (acknowledged.size >= entry.count) entry.resolve()
  }

  async function send (): Promise<void> {
    for (const { eventId, externalId } of queue) {
      while (!acknowledged.has(eventId)) {
        attempts += 1
        if (!await deliver(addressOf(), secret, eventId, externalId)) await wait(retryMs)
        else acknowledged.add(eventId)
        look()
      }
      if (pauseMs > 0) await wait(pauseMs)
    }
  }

  return {
    acknowledged,
    finished: Promise.all(Array.from({ length: concurrency }, send)).then(() => attempts),
    acknowledgedSoMany: count =>
      new Promise(resolve => {
        waiting.add({ count, resolve })
        look()
      })
  }
}

function* numbered (eventIds: Iterable<string>): Generator<{ eventId: string, externalId: string }> {
  let number = 0
  for (const eventId of eventIds) {
    number += 1
    yield { eventId, externalId: String(number) }
  }
}

async function deliver (address: string, secret: string, eventId: string, externalId: string): Promise<boolean> {
  const timestamp = String(Date.now())
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId,
    eventType: 'product.saved',
    occurredAt: new Date().toISOString(),
    object: { type: 'product', externalId }
  })
  try {
    const response = await request(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-linker-timestamp': timestamp,
        'x-linker-signature': signWebhook(secret, timestamp, body)
      },
      body,
      signal: AbortSignal.timeout(10_000)
    })
    await response.body.dump()
    if (response.statusCode >= 400 && response.statusCode < 500) {
      throw new TypeError(`the hub refused an event with ${response.statusCode}`)
    }
    return response.statusCode === 202
  } catch (error) {
    // A refusal ends the run: another try would not help. Any other error means the hub is away.
    if (error instanceof TypeError && error.message.startsWith('the hub refused')) throw error
    return false
  }
}
