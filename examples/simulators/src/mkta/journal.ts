import { happens, type Chance } from '../chance.ts'

export type OrderEventType = typeof orderEventTypes[number]

export const orderEventTypes = [
  'BOUGHT',
  'FILLED_IN',
  'READY_FOR_PROCESSING',
  'BUYER_CANCELLED',
  'AUTO_CANCELLED',
  'FULFILLMENT_STATUS_CHANGED',
  'BUYER_MODIFIED'
] as const

export interface OrderEvent {
  id: string
  occurredAt: string
  type: OrderEventType
  order: object
}

/** Accidents of order events. The checkout forms stay correct. */
export interface JournalAccidents {
  /** Events that become visible after `lateMs`, with an id below those already visible. */
  late?: Chance
  /** Default: a minute. */
  lateMs?: number
  /** Events that are in the journal twice, with two ids. */
  duplicate?: Chance
}

/**
 * An event to add. A past `occurredAt` gives it a smaller id, like that of an event that became
 * visible late. `visibleAfterMs` hides it until the clock has moved on.
 */
export interface JournalEntry {
  type: OrderEventType
  order: object
  occurredAt?: string
  visibleAfterMs?: number
}

const retentionMs = 60 * 24 * 60 * 60_000

/**
 * Makes the journal of orders. It sorts events by id, which is the time in microseconds, and keeps
 * them for 60 days.
 */
export function createJournal ({ now, random }: { now: () => Date, random: () => number }) {
  const entries: Array<{ event: OrderEvent, visibleAt: number }> = []
  const ids = new Set<string>()
  let accidents: JournalAccidents = {}

  function add (entry: JournalEntry): string {
    const visibleAfterMs = entry.visibleAfterMs ?? delayOfAccident()
    const id = insert({ ...entry, visibleAfterMs })
    if (happens(accidents.duplicate ?? false, random)) insert({ ...entry, visibleAfterMs })
    return id
  }

  function delayOfAccident (): number {
    return happens(accidents.late ?? false, random) ? accidents.lateMs ?? 60_000 : 0
  }

  function insert ({ type, order, occurredAt = now().toISOString(), visibleAfterMs = 0 }: JournalEntry): string {
    let number = BigInt(Date.parse(occurredAt)) * 1_000n
    while (ids.has(String(number))) number += 1n
    const id = String(number)
    ids.add(id)
    const at = entries.findLastIndex(({ event }) => BigInt(event.id) < number) + 1
    entries.splice(at, 0, {
      event: structuredClone({ id, occurredAt, type, order }),
      visibleAt: now().getTime() + visibleAfterMs
    })
    return id
  }

  /** Returns the events that are visible and not yet too old. */
  function events (): OrderEvent[] {
    const time = now().getTime()
    const visible = entries.filter(({ visibleAt }) => visibleAt <= time).map(({ event }) => event)
    return visible.filter(({ occurredAt }) => Date.parse(occurredAt) >= time - retentionMs)
  }

  return {
    add,
    events,
    setAccidents (wanted: JournalAccidents): void {
      accidents = wanted
    }
  }
}

export type Journal = ReturnType<typeof createJournal>
