import { RejectedError } from '@linker/sdk'
import { createLocalTime } from './local-time.ts'
import { text, type Row } from './records.ts'

// Two minutes for clocks that disagree, an hour for the one that is repeated in autumn.
const overlapMs = 62 * 60_000
// Behind every other zone: while the shop's zone is not known, the watermark is early by hours
// instead of late.
const earliestZone = 'Etc/GMT+12'

/** The shop's time that changes are asked for after. */
export function watermark (updatedSince: string, timeZone: string | undefined): string {
  const instant = new Date(Date.parse(updatedSince) - overlapMs)
  if (Number.isNaN(instant.getTime())) throw new RejectedError(`updatedSince '${updatedSince}' is no ISO 8601 time`)
  return createLocalTime(timeZone ?? earliestZone).fromInstant(instant)
}

/**
 * Whether the shop has sent a row although it was asked for later ones: an operator that it does
 * not know is no filter for it.
 */
export function isUpToDate (row: Row, after: string | undefined): boolean {
  const changedAt = text(row.date_upd) ?? ''
  return after !== undefined && /^[1-9][0-9]{3}-/.test(changedAt) && changedAt <= after
}
