const daySeconds = 86_400

/**
 * The texts of the times below a plot, in seconds since 1970: the hour and minute, and the date
 * where a day begins or when all are days.
 */
export function axisTimes (times: readonly number[], language?: string, timeZone?: string): string[] {
  const zone = timeZone === undefined ? {} : { timeZone }
  const hour = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', ...zone })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', ...zone })
  const [first = 0, second = first] = times
  const areDays = second - first >= daySeconds
  let last = ''
  return times.map(seconds => {
    const date = day.format(seconds * 1_000)
    const isNew = date !== last
    last = date
    if (areDays) return date
    return isNew ? `${hour.format(seconds * 1_000)}\n${date}` : hour.format(seconds * 1_000)
  })
}
