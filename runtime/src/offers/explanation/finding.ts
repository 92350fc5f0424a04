import { countOf, endSentence } from '../../words.ts'
import type { Evidence, NextAction, Verdict } from './schemas.ts'

/** A verdict that is true of an offer. Several may be. */
export interface Finding {
  verdict: Verdict
  /** The reason as a part of a sentence, without a full stop. */
  clause: string
  evidence: Evidence
  nextAction: NextAction
}

/** Returns a clause as a sentence. The message of a platform at its end may have a full stop. */
export function sentenceOf (clause: string): string {
  return endSentence(`${clause.charAt(0).toUpperCase()}${clause.slice(1)}`)
}

/**
 * Returns a time for people: without its date when it is on the same day as `now`. Both are ISO
 * 8601 in UTC.
 */
export function momentOf (time: string, now: string): string {
  const [date = '', clock = ''] = new Date(time).toISOString().split('T')
  const minute = `${clock.slice(0, 5)} UTC`
  return new Date(now).toISOString().startsWith(date) ? minute : `${date} ${minute}`
}

/** Returns ` at 10:02 UTC`, or nothing for a time that is not known. */
export function atMoment (time: string | null, now: string): string {
  return time === null ? '' : ` at ${momentOf(time, now)}`
}

/** Returns ` until 10:02 UTC`, or nothing when the end is not known. */
export function untilMoment (time: string | null | undefined, now: string): string {
  return typeof time === 'string' ? ` until ${momentOf(time, now)}` : ''
}

export function piecesOf (count: number): string {
  return countOf(count, 'piece')
}
