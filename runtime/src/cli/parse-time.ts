import { everyPattern } from '@linker/sdk/host/text'
import { InvalidArgumentError } from 'commander'
import { parseEvery } from '../schedules/slots.ts'

const timeForms = 'a time (2026-11-25T09:00:00Z), a date (2026-11-25, from 00:00 UTC)'
/** The forms of a time in the past, for help texts and errors. */
export const pastForms = `${timeForms} or an age (90m, 24h, 7d)`
/** The forms of a time in the future, for help texts and errors. */
export const futureForms = `${timeForms} or a length from now (30m, 2h, 1d)`

/** Turns a time, a date or an age into the time that the hub takes. */
export function parsePast (text: string, _before?: unknown, now = new Date()): string {
  return readTime(text, ageMs => now.getTime() - ageMs) ?? refuse(pastForms)
}

/** Turns a time, a date or a length from now into the time that the hub takes. */
export function parseFuture (text: string, _before?: unknown, now = new Date()): string {
  return readTime(text, lengthMs => now.getTime() + lengthMs) ?? refuse(futureForms)
}

function refuse (forms: string): never {
  throw new InvalidArgumentError(`must be ${forms}`)
}

// Without an offset, a time would depend on where the command runs.
const formPattern = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i

function readTime (text: string, fromLength: (ms: number) => number): string | undefined {
  if (everyPattern.test(text)) return new Date(fromLength(parseEvery(text))).toISOString()
  const [, date = ''] = formPattern.exec(text) ?? []
  const atMs = Date.parse(text.toUpperCase())
  return date === '' || !isDay(date) || Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
}

/** JavaScript reads the 30th of February as a day of March. */
function isDay (date: string): boolean {
  const dayMs = Date.parse(date)
  return !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(date)
}
