const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** Converts a time to UTC; returns undefined for a text that is not a time with a zone. */
export function toTimestamp (text: unknown): string | undefined {
  const time = typeof text === 'string' && withZone.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
