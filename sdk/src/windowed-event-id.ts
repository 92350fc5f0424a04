import { createHash } from 'node:crypto'

/** The data from which the shop's webhook module makes an event id. */
export interface WindowedEvent {
  /** Platform type in the address of the webhook, such as `shopa`. */
  provider: string
  connectionId: string
  eventType: string
  objectType: string
  externalId: string
  occurredAt: Date
  /** Length of a window in minutes, 1 to 60. Default 1, as the module is delivered. */
  windowMinutes?: number
  /** The IANA name of the shop's time zone. Default `UTC`. An unknown one throws a `RangeError`. */
  timeZone?: string
}

/**
 * Makes the event id of the shop's webhook module (specification, section 6.2.3): one id for all
 * events of one object within one window of the shop's local time. It has the form of a UUID, but
 * no version bits. Use it in your own sender if the hub should treat repetitions as one event, as
 * it does for the module.
 */
export function windowedEventId (event: WindowedEvent): string {
  const { provider, connectionId, eventType, objectType, externalId, occurredAt, windowMinutes = 1, timeZone = 'UTC' } =
    event
  const windowMs = Math.min(60, Math.max(1, windowMinutes)) * 60_000
  const start = new Date(Math.floor(occurredAt.getTime() / windowMs) * windowMs)
  const text = [provider, connectionId, eventType, objectType, externalId, localTime(start, timeZone)].join('|')
  const hash = createHash('sha256').update(text).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-')
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** `2025-01-01 12:00:31` */
function localTime (instant: Date, timeZone: string): string {
  let formatter = formatters.get(timeZone)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit'
    })
    formatters.set(timeZone, formatter)
  }
  const part = Object.fromEntries(formatter.formatToParts(instant).map(({ type, value }) => [type, value]))
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`
}
