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
  /** Time that the signatures carry. */
  signedAt: () => Date
  random: () => number
  timeZone: string
  localTime: LocalTime
}

/** The module inside the shop that writes events to an outbox and posts them to the hub, signed. */
export function createSender ({ now, signedAt, random, timeZone, localTime }: SenderOptions) {
  const outbox = createOutbox()
  const switches = createSwitches()
  const { post, close } = createWebhookPost()
  const automatic = createAutomaticDelivery(() => deliver(), outbox.hasUnfinished)
  let configuration: SenderConfiguration = { baseUrl: '', connectionId: '', secret: '' }

  function configure (values: SenderConfiguration): void {
    configuration = { ...values }
  }

  /**
   * The event id, or nothing when the event is dropped, switched off, a repetition inside its
   * window, or no connection is configured.
   */
  function enqueue (event: ShopEvent): string | undefined {
    const { connectionId, disabled = [] } = configuration
    if (
      connectionId === '' || disabled.some(category => category === event.objectType) || happens(switches.drop, random)
    ) return undefined
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

  /**
   * One run of the shop's cron, at the shop's time or the one given: sends what is due then, one
   * after the other.
   */
  async function deliver (at?: Date): Promise<Delivery[]> {
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

  /** What the module's ping does: sends `test.ping` at once, past the outbox. */
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
   * The "test connection" button: enqueues `test.ping` and sends the oldest pending row, which may
   * be another event.
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
    /** Delivers by itself, `intervalMs` after a change and while anything is left. */
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
