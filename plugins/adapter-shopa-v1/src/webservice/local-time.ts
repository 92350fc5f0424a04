import { ConfigurationError } from '@linker/sdk'

const hourMs = 3_600_000

/**
 * Converts between instants and the shop's local times, such as `2025-01-02 10:00:00`. The shop
 * writes them in its own zone without naming it.
 */
export interface LocalTime {
  /**
   * Returns `undefined` for a date that does not exist, such as the shop's `0000-00-00 00:00:00`. A
   * time in the hour that spring skips comes from a clock that runs in another zone; it is read by
   * the offset before that hour.
   */
  toInstant(local: string): Date | undefined
  fromInstant(instant: Date): string
}

export function createLocalTime (timeZone: string): LocalTime {
  const formatter = createFormatter(timeZone)
  const fromInstant = (instant: Date) => formatter.format(instant)
  const asUtc = (local: string) => Date.parse(`${local.replace(' ', 'T')}Z`)
  const inUtc = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
  const offsetMs = (instant: number) => asUtc(fromInstant(new Date(instant))) - instant

  function toInstant (local: string): Date | undefined {
    const time = asUtc(local)
    if (Number.isNaN(time) || inUtc(time) !== local) return undefined
    const near = (distanceMs: number): number => time - offsetMs(time + distanceMs)
    const [before, after] = [near(-24 * hourMs), near(24 * hourMs)]
    // Choose the earlier instant of a repeated hour: a watermark made from it reads some rows
    // again, while the later one would lose some.
    const [earliest = before] = [before, after]
      .toSorted((a, b) => a - b)
      .filter(instant => fromInstant(new Date(instant)) === local)
    return new Date(earliest)
  }

  return { toInstant, fromInstant }
}

// The shop writes dates in the Swedish form.
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
    const message = `config.timeZone '${timeZone}' is not a time zone: use an IANA name such as Europe/Warsaw`
    throw new ConfigurationError(message, { cause: error })
  }
}
