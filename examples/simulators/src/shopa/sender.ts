import { signatureHeader, signWebhook, timestampHeader } from '@linker/sdk'
import { Agent, request } from 'undici'
import { createTestEventId, deriveEventId } from './event-id.ts'
import type { LocalTime } from './local-time.ts'
import { createOutbox, type OutboxRow } from './outbox.ts'
import { phpJsonEncode } from './php-json.ts'

export interface SenderConfiguration {
  /** Address of the hub. */
  baseUrl: string
  /** Nothing is enqueued while it is empty. */
  connectionId: string
  secret: string
  /** 1 to 60; default 1. */
  windowMinutes?: number
  /** 1 to 200; default 50. */
  batchSize?: number
  /** 1 to 100; default 25. */
  maxAttempts?: number
  /** At least 1; default 2. */
  multiplier?: number
  /** Categories switched off in the module. */
  disabled?: ReadonlyArray<'product' | 'stock' | 'order'>
}

export interface ShopEvent {
  eventType: string
  objectType: string
  externalId: string
  payload?: object
}

/** One request of a run, with the state in which it left its row. */
export interface Delivery {
  eventId: string
  eventType: string
  externalId: string
  /** Unix milliseconds as sent. */
  timestamp: string
  /** Absent when no answer came. */
  statusCode?: number
  /** Why the attempt failed. */
  error?: string
  status: OutboxRow['status']
}

export interface SenderOptions {
  now: () => Date
  random: () => number
  localTime: LocalTime
}

const provider = 'shopa'
const connectTimeoutMs = 5_000
const timeoutMs = 10_000

/** The module inside the shop that writes events to an outbox and posts them to the hub, signed. */
export function createSender ({ now, random, localTime }: SenderOptions) {
  const outbox = createOutbox(now)
  // The shop opens a connection for every request; a kept one would fail after the hub restarts.
  const agent = new Agent({ pipelining: 0, connect: { timeout: connectTimeoutMs } })
  // drop: events are lost before the outbox. duplicate: each is sent twice. shuffle: a run sends in random order.
  const switches = { drop: false, duplicate: false, shuffle: false }
  let configuration: SenderConfiguration = { baseUrl: '', connectionId: '', secret: '' }

  function configure (values: SenderConfiguration): void {
    configuration = { ...values }
  }

  /** The event id, or nothing when the event is dropped, switched off, a repetition inside its window, or no connection is configured. */
  function enqueue ({ eventType, objectType, externalId, payload }: ShopEvent): string | undefined {
    const { connectionId, windowMinutes = 1, disabled = [] } = configuration
    if (switches.drop || connectionId === '' || disabled.some(category => category === objectType)) return undefined
    const occurredAt = now()
    const eventId = eventType.startsWith('test.')
      ? createTestEventId(occurredAt)
      : deriveEventId({ provider, connectionId, eventType, objectType, externalId }, occurredAt, Math.min(windowMinutes, 60), localTime)
    const payloadJson = payload === undefined ? undefined : phpJsonEncode(payload)
    const isNew = outbox.insertIgnore({ eventId, eventType, objectType, externalId, occurredAt: localTime.iso(occurredAt), payloadJson })
    return isNew ? eventId : undefined
  }

  /** One run of the shop's cron: sends what is due now, one after the other. */
  async function deliver (): Promise<Delivery[]> {
    outbox.requeueStuck()
    const claimed = outbox.claim(clamp(configuration.batchSize ?? 50, 1, 200))
    const batch = switches.shuffle ? shuffled(claimed, random) : claimed
    const deliveries: Delivery[] = []
    for (const row of batch) {
      deliveries.push(await attempt(row))
      if (switches.duplicate) deliveries.push(await attempt(row))
    }
    return deliveries
  }

  async function attempt (row: OutboxRow): Promise<Delivery> {
    const timestamp = String(now().getTime())
    const { statusCode, error } = await post(agent, configuration, row, timestamp)
    if (error === undefined) outbox.markDelivered(row)
    else if (row.status !== 'delivered') outbox.markFailed(row, error, retryPolicy(configuration))
    const delivery: Delivery = { eventId: row.eventId, eventType: row.eventType, externalId: row.externalId, timestamp, status: row.status }
    if (statusCode !== undefined) delivery.statusCode = statusCode
    if (error !== undefined) delivery.error = error
    return delivery
  }

  return { configure, enqueue, deliver, switches, outbox: { rows: outbox.rows }, close: () => agent.destroy() }
}

export type Sender = ReturnType<typeof createSender>

/** The body exactly as it goes over the wire. Empty when the row holds text that is not valid Unicode. */
export function encodeBody ({ eventId, eventType, occurredAt, objectType, externalId, payloadJson }: OutboxRow): string {
  const body = { schemaVersion: 1, eventId, eventType, occurredAt, object: { type: objectType, externalId } }
  return phpJsonEncode(payloadJson === undefined ? body : { ...body, payload: JSON.parse(payloadJson) }) ?? ''
}

async function post (agent: Agent, configuration: SenderConfiguration, row: OutboxRow, timestamp: string): Promise<{ statusCode?: number, error?: string }> {
  const { baseUrl, connectionId, secret } = configuration
  if (baseUrl === '' || connectionId === '' || secret === '') return { error: 'the sender has no base address, connection id or secret' }
  const body = encodeBody(row)
  try {
    const response = await request(`${baseUrl.replace(/\/+$/, '')}/webhooks/${provider}/${connectionId}`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', [timestampHeader]: timestamp, [signatureHeader]: signWebhook(secret, timestamp, body) },
      body,
      signal: AbortSignal.timeout(timeoutMs)
    })
    await response.body.dump()
    const { statusCode } = response
    return statusCode >= 200 && statusCode < 300 ? { statusCode } : { statusCode, error: `HTTP ${statusCode}` }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function retryPolicy ({ maxAttempts = 25, multiplier = 2 }: SenderConfiguration) {
  return { maxAttempts: clamp(maxAttempts, 1, 100), multiplier: Math.max(1, multiplier) }
}

function clamp (value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

function shuffled<Item> (items: Item[], random: () => number): Item[] {
  return items.map(item => ({ item, order: random() })).sort((a, b) => a.order - b.order).map(({ item }) => item)
}
