import { ConfigurationError } from '@linker/sdk'

const hourMs = 3_600_000

/**
 * Converts between instants and the shop's times: `2025-01-02 10:00:00`, in its own zone, without
 * saying which.
 */
export interface LocalTime {
  /** `undefined` for a time that does not exist, such as the shop's `0000-00-00 00:00:00`. */
  toInstant(local: string): Date | undefined
  fromInstant(instant: Date): string
}

export function createLocalTime (timeZone: string): LocalTime {
  const formatter = createFormatter(timeZone)
  const fromInstant = (instant: Date) => formatter.format(instant)
  const asUtc = (local: string) => Date.parse(`${local.replace(' ', 'T')}Z`)
  const offsetMs = (instant: number) => asUtc(fromInstant(new Date(instant))) - instant

  function toInstant (local: string): Date | undefined {
    const time = asUtc(local)
    if (Number.isNaN(time)) return undefined
    // Of the two instants of a repeated hour the earlier one: a watermark made of it re-reads rows,
    // the later one would lose some.
    const candidates = [time - 24 * hourMs, time + 24 * hourMs]
      .map(near => new Date(time - offsetMs(near)))
      .filter(instant => fromInstant(instant) === local)
    return candidates.toSorted((a, b) => a.getTime() - b.getTime())[0]
  }

  return { toInstant, fromInstant }
}

// The Swedish form of a date is the one that the shop writes.
function createFormatter (timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit'
    })
  } catch (error) {
    throw new ConfigurationError(
      `config.timeZone '${timeZone}' is no time zone; an IANA name such as Europe/Warsaw is expected`,
      { cause: error }
    )
  }
}
