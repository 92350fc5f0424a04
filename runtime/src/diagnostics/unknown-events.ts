import type { UnknownEvent } from '../events/store.ts'

/** Events of one type that started no job. */
export interface UnknownEvents {
  eventType: string
  count: number
  /** ISO 8601. */
  lastAt: string
  lastDeliveryId: string
}

/**
 * Counts the events by their types, without those that were replayed: a replay starts a job, whose
 * end speaks for itself. Returns at most `limit` types, those with the most events first.
 */
export function countUnknownEvents (
  newestFirst: readonly UnknownEvent[],
  replayed: ReadonlySet<string>,
  limit: number
): UnknownEvents[] {
  const left = newestFirst.filter(({ deliveryId }) => !replayed.has(deliveryId))
  const byType = [...Map.groupBy(left, ({ eventType }) => eventType).values()]
  return byType.toSorted((a, b) => b.length - a.length).slice(0, limit).flatMap(ofType => {
    const [newest] = ofType
    return newest === undefined ? [] : {
      eventType: newest.eventType,
      count: ofType.length,
      lastAt: newest.at,
      lastDeliveryId: newest.deliveryId
    }
  })
}
