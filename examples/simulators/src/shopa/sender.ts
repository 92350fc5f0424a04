import { windowedEventId } from '@linker/sdk'
import { happens } from '../chance.ts'
import { createAutomaticDelivery } from './automatic-delivery.ts'
import { createTestEventId } from './event-id.ts'
import type { LocalTime } from './local-time.ts'
import { createOutbox, type OutboxRow } from './outbox.ts'
import { phpJsonEncode } from './php-json.ts'
import { batchSizeOf, createSwitches, retryPolicy, type SenderConfiguration } from './sender-configuration.ts'
import { createWebhookPost, provider, type OutgoingEvent, type Posted } from './webhook-post.ts'

export interface ShopEvent {
  eventType: string
  objectType: string
  externalId: string
  payload?: object
}

/** One request of a run, and the status of its row afterwards. */
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
  /** Returns the time in the signatures. */
  signedAt: () => Date
  random: () => number
  timeZone: string
  localTime: LocalTime
  /** Whether the shop's cron reaches the address that runs the deliveries. */
  isReachable: () => boolean
}

/** Makes the module in the shop that writes events to an outbox, signs them and posts them. */
export function createSender ({ now, signedAt, random, timeZone, localTime, isReachable }: SenderOptions) {
  const outbox = createOutbox()
  const switches = createSwitches()
  const { post, close } = createWebhookPost()
  const automatic = createAutomaticDelivery(() => deliver(), outbox.hasUnfinished)
  let configuration: SenderConfiguration = { baseUrl: '', connectionId: '', secret: '' }

  function configure (values: SenderConfiguration): void {
    configuration = { ...values }
  }

  /**
   * Enqueues an event and returns its id. Returns undefined if no connection is configured, or the
   * event is switched off, dropped or repeated within its window.
   */
  function enqueue (event: ShopEvent): string | undefined {
    const { connectionId, disabled = [] } = configuration
    const isOff = connectionId === '' || disabled.some(category => category === event.objectType)
    if (isOff || happens(switches.drop, random)) return undefined
    const at = now()
    const outgoing = toOutgoing(event, at)
    const delayMs = switches.delaySeconds === 0 ? 0 : random() * switches.delaySeconds * 1000
    const isNew = outbox.insertIgnore(outgoing, at, new Date(at.getTime() + delayMs))
    automatic.wake()
    return isNew ? outgoing.eventId : undefined
  }

  function toOutgoing ({ eventType, objectType, externalId, payload }: ShopEvent, at: Date): OutgoingEvent {
    const { connectionId, windowMinutes } = configuration
    const eventId = eventType.startsWith('test.')
      ? createTestEventId(at)
      : windowedEventId({
        provider,
        connectionId,
        eventType,
        objectType,
        externalId,
        occurredAt: at,
        windowMinutes,
        timeZone
      })
    const payloadJson = payload === undefined ? undefined : phpJsonEncode(payload)
    return { eventId, eventType, objectType, externalId, occurredAt: localTime.iso(at), payloadJson }
  }

  /** Runs the shop's cron once, now or at the given time. Sends the due rows one by one. */
  async function deliver (at?: Date): Promise<Delivery[]> {
    if (!isReachable()) return []
    const time = () => at ?? now()
    outbox.requeueStuck(time())
    const claimed = outbox.claim(batchSizeOf(configuration), time(), switches.databaseAheadSeconds)
    const deliveries: Delivery[] = []
    for (const row of switches.shuffle ? shuffled(claimed, random) : claimed) {
      for (let left = happens(switches.duplicate, random) ? 2 : 1; left > 0; left--) {
        const isCrash = happens(switches.crash, random)
        deliveries.push(await attempt(row, time, isCrash))
        if (isCrash) return deliveries
      }
    }
    return deliveries
  }

  async function attempt (row: OutboxRow, time: () => Date, isCrash = false): Promise<Delivery> {
    const timestamp = String(signedAt().getTime())
    const { statusCode, error } = await post(configuration, row, timestamp)
    if (!isCrash && error === undefined) outbox.markDelivered(row, time())
    else if (!isCrash && row.status !== 'delivered') {
      outbox.markFailed(row, error ?? '', time(), retryPolicy(configuration))
    }
    const delivery: Delivery = {
      eventId: row.eventId,
      eventType: row.eventType,
      externalId: row.externalId,
      timestamp,
      status: row.status
    }
    if (statusCode !== undefined) delivery.statusCode = statusCode
    if (error !== undefined) delivery.error = error
    return delivery
  }

  /** Sends `test.ping` at once, past the outbox, as the module's ping does. */
  function ping (): Promise<Posted> {
    const event = {
      eventType: 'test.ping',
      objectType: 'connection',
      externalId: configuration.connectionId,
      payload: { source: 'install-verification' }
    }
    return post(configuration, toOutgoing(event, now()), String(signedAt().getTime()))
  }

  /**
   * Does what the button "test connection" does: enqueues `test.ping` and sends the oldest pending
   * row, which may be another event.
   */
  async function testConnection (): Promise<Delivery | undefined> {
    enqueue({ eventType: 'test.ping', objectType: 'test', externalId: 'test', payload: { test: true } })
    const [oldest] = outbox.claimOldest(now())
    return oldest === undefined ? undefined : attempt(oldest, now)
  }

  return {
    configure,
    enqueue,
    deliver,
    ping,
    testConnection,
    /** Runs by itself `intervalMs` after a change, and as long as anything is left. */
    deliverAutomatically: automatic.start,
    stopDelivering: automatic.stop,
    configuration: () => configuration,
    switches,
    outbox: { rows: outbox.rows },
    async close () {
      automatic.stop()
      await close()
    }
  }
}

export type Sender = ReturnType<typeof createSender>

function shuffled<Item> (items: Item[], random: () => number): Item[] {
  return items.map(item => ({ item, order: random() })).sort((a, b) => a.order - b.order).map(({ item }) => item)
}
