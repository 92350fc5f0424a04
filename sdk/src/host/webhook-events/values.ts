import { createHash } from 'node:crypto'

/** ISO 8601 with a time; PHP writes the offset with or without its colon. */
export const dateTimePattern = '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[Tt ' +
  '](?:[01]\\d|2[0-3]):[0-5]\\d(?::(?:[0-5]\\d|60)(?:[.,]\\d{1,9})?)?(?:[Zz]|[+-]\\d\\d(?::?\\d\\d)?)?$'

const dateTime = new RegExp(dateTimePattern)

/** The parser keeps whole numbers exact; another large number may be the id of another object. */
export function idOf (value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined
  return typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : textOf(value)
}

export function textOf (value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Platforms that leave the offset out mean UTC. */
export function timeOf (value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64 || !dateTime.test(value)) return undefined
  return /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(value.slice('2026-01-31'.length)) ? value : `${value}Z`
}

/** Makes the id of an event that has none. */
export function makeEventId (platformType: string, ...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `${platformType}-${hash.digest('hex').slice(0, 32)}`
}
