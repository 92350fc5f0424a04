const age = /^(\d{1,6})(s|m|h|d)$/
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The forms of a time in a filter, for the hint in its field. */
export const pastForms = '24h or 2026-01-31'

/**
 * The time that the API takes, from an age such as `24h` or from a time. Returns any other text as
 * it is, so that the hub says why it refuses it.
 */
export function timeOf (text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined
  const [, count, unit = ''] = age.exec(text) ?? []
  const lengthMs = unitMs[unit]
  if (count !== undefined && lengthMs !== undefined) return new Date(nowMs - Number(count) * lengthMs).toISOString()
  // Without an offset, a time would depend on where the browser runs.
  const isDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)
  const atMs = isDate ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? text : new Date(atMs).toISOString()
}
