const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000]
] as const

/** A time as people say it, such as `3 min. ago` or `in 2 hr.`. */
export function relativeTime (atMs: number, nowMs: number, language?: string): string {
  const distanceMs = atMs - nowMs
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(distanceMs) >= ms) ?? ['second', 1_000] as const
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  return format.format(Math.trunc(distanceMs / unitMs), unit)
}

/** A length of time with one unit, such as `250 ms`, `1.4 s` or `12 min`. */
export function duration (ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 1 : 0))} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`
  return `${Math.round(ms / 86_400_000)} days`
}
