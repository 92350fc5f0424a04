import { RejectedError } from '@linker/sdk'
import { createLocalTime } from './local-time.ts'
import { text, type Row } from './row.ts'

// Two minutes for clocks that disagree, and one hour for the hour that is repeated in autumn.
const overlapMs = 62 * 60_000
// Behind every other zone: with an unknown zone the watermark is too early, never too late.
const earliestZone = 'Etc/GMT+12'

/** Returns the shop's local time from which the adapter asks for changes. */
export function watermark (updatedSince: string, timeZone: string | undefined): string {
  const instant = new Date(Date.parse(updatedSince) - overlapMs)
  if (Number.isNaN(instant.getTime())) {
    throw new RejectedError(`updatedSince '${updatedSince}' is not an ISO 8601 time`)
  }
  return createLocalTime(timeZone ?? earliestZone).fromInstant(instant)
}

/**
 * Whether a row did not change after the time that was asked for. The shop ignores a filter whose
 * operator it does not know, and then sends all rows.
 */
export function isUpToDate (row: Row, after: string | undefined): boolean {
  const changedAt = text(row.date_upd) ?? ''
  return after !== undefined && /^[1-9][0-9]{3}-/.test(changedAt) && changedAt <= after
}
