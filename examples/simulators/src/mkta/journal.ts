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

/** What goes wrong with order events. The checkout forms are as they should be all the same. */
export interface JournalAccidents {
  /**
   * Visible `lateMs` after it occurred, with an id that is smaller than those of events before it.
   */
  late?: Chance
  /** Default a minute. */
  lateMs?: number
  /** In the journal twice, with two ids. */
  duplicate?: Chance
}

/**
 * What an event tells. With `occurredAt` before those that were read already it is one that became
 * visible late, with a smaller id; `visibleAfterMs` makes it wait by the clock.
 */
export interface JournalEntry {
  type: OrderEventType
  order: object
  occurredAt?: string
  visibleAfterMs?: number
}

const retentionMs = 60 * 24 * 60 * 60_000

/**
 * What happened to orders, in the order of ids, which are the microseconds of the time. Events are
 * kept 60 days.
 */
export function createJournal ({ now, random }: { now: () => Date, random: () => number }) {
  const entries: Array<{ event: OrderEvent, visibleAt: number }> = []
  const ids = new Set<string>()
  let accidents: JournalAccidents = {}

  function add (entry: JournalEntry): string {
    const visibleAfterMs = entry.visibleAfterMs ??
      (happens(accidents.late ?? false, random) ? accidents.lateMs ?? 60_000 : 0)
    const id = insert({ ...entry, visibleAfterMs })
    if (happens(accidents.duplicate ?? false, random)) insert({ ...entry, visibleAfterMs })
    return id
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

  /** What is visible and still kept. */
  function events (): OrderEvent[] {
    const time = now().getTime()
    return entries.filter(({ event, visibleAt }) =>
      visibleAt <= time && Date.parse(event.occurredAt) >= time - retentionMs
    ).map(({ event }) => event)
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
