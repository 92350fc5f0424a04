import { HubJobType } from '../../hub-job-type.ts'

/**
 * The events that start a job in each connection (specification, section 6.1). A job type that
 * starts with a dot belongs to the platform of the event.
 */
export const defaultEventJobs: ReadonlyMap<string, string> = new Map([
  ['product.saved', HubJobType.syncProduct],
  ['stock.changed', '.inventory.syncByExternalId'],
  ['order.created', '.order.syncByExternalId'],
  ['order.status_changed', '.order.syncByExternalId']
])

/**
 * Returns the type of the job that an event of this type starts. `events` are those of the adapter.
 */
export function eventJobOf (
  eventType: string,
  platformType: string,
  events: Readonly<Record<string, string>> = {}
): string | undefined {
  // Own members only: `constructor` is on every object.
  const declared = Object.hasOwn(events, eventType) ? events[eventType] : undefined
  return declared ?? defaultEventJobs.get(eventType)?.replace(/^\./, `${platformType}.`)
}

/** Whether events of this type are tests, which start no job. */
export function isTestEvent (eventType: string): boolean {
  return eventType.startsWith('test.')
}
