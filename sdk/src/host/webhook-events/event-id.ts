/** The ids of events that the hub keeps as they are. */
export const eventIdPattern = '^[A-Za-z0-9._:-]{1,200}$'

const eventId = new RegExp(eventIdPattern)

export function isEventId (value: unknown): value is string {
  return typeof value === 'string' && eventId.test(value)
}
