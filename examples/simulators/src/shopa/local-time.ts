/**
 * Makes a writer of times as the shop writes them: in its time zone, to the second. An unknown zone
 * throws a RangeError.
 */
export function createLocalTime (timeZone: string) {
  const formatter = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset'
  })

  let last = { second: Number.NaN, parts: { date: '', time: '', offset: '' } }

  // Cache the last second: to format a time costs more than all other work on a row, and a catalog
  // has 100 000 rows.
  function parts (instant: Date) {
    const second = Math.floor(instant.getTime() / 1000)
    if (second !== last.second) last = { second, parts: format(instant) }
    return last.parts
  }

  function format (instant: Date) {
    const part = Object.fromEntries(formatter.formatToParts(instant).map(({ type, value }) => [type, value]))
    return {
      date: `${part.year}-${part.month}-${part.day}`,
      time: `${part.hour}:${part.minute}:${part.second}`,
      // UTC itself has the longOffset "GMT", without digits.
      offset: part.timeZoneName?.slice(3) || '+00:00'
    }
  }

  /** `2025-01-01 12:00:31`, without a zone. */
  function timestamp (instant: Date): string {
    const { date, time } = parts(instant)
    return `${date} ${time}`
  }

  /** `2025-01-01T12:00:31+01:00` */
  function iso (instant: Date): string {
    const { date, time, offset } = parts(instant)
    return `${date}T${time}${offset}`
  }

  return { timestamp, iso }
}

export type LocalTime = ReturnType<typeof createLocalTime>
