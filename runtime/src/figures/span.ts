import { InvalidRequestError } from '../errors.ts'
import { refusal } from '../http/refusal.ts'

/** Times in seconds since 1970; `to` is the end of the last slot. */
export interface Span {
  from: number
  to: number
  /** Seconds of a slot. */
  step: number
}

/** The span that a caller asks for. Times in milliseconds since 1970. */
export interface Wanted {
  fromMs: number | undefined
  toMs: number | undefined
  step: number | undefined
}

export const mostPoints = 1_500
const usualPoints = 360
const day = 86_400
const hour = 3_600
/** How long the hub keeps hours. */
export const keptDays = 90
/** How long the hub keeps minutes. It merges whole hours only, so some live an hour longer. */
export const minutesKeptHours = 48
const steps = [60, 300, 900, hour, 6 * hour, day]

/**
 * Returns the slots that cover what a caller asks for: by default the last 24 hours, in steps that
 * make a plot of at most 360 points. Throws a 400 that names the wrong member.
 */
export function spanOf ({ fromMs, toMs, step: wantedStep }: Wanted, nowMs: number): Span {
  const end = Math.min(toMs ?? nowMs, nowMs) / 1_000
  const begin = fromMs === undefined ? end - day : fromMs / 1_000
  if (begin >= end) {
    throw refuse('/from', 'minimum', 'must be before `to`, and in the past')
  }
  if (nowMs / 1_000 - begin > keptDays * day + hour) {
    throw refuse('/from', 'minimum', `is too long ago: the hub keeps figures for ${keptDays} days`)
  }
  const hasMinutes = nowMs / 1_000 - begin <= minutesKeptHours * hour
  const step = wantedStep ?? usualStep(end - begin, hasMinutes)
  if (step < hour && !hasMinutes) {
    throw refuse(
      '/step',
      'minimum',
      `must be ${hour} or more: the hub keeps minutes for ${minutesKeptHours} hours, and after that hours`
    )
  }
  if (step % hour !== 0 && !hasMinutes) {
    throw refuse(
      '/step',
      'multipleOf',
      `must be a multiple of ${hour} for times more than ${minutesKeptHours} hours ago`
    )
  }
  const span = { from: Math.floor(begin / step) * step, to: Math.ceil(end / step) * step, step }
  const points = pointsOf(span)
  if (points > mostPoints) {
    throw refuse('/step', 'minimum', `makes ${points} points: at most ${mostPoints} are answered, so make it longer`)
  }
  return span
}

export function pointsOf ({ from, to, step }: Span): number {
  return Math.round((to - from) / step)
}

function usualStep (seconds: number, hasMinutes: boolean): number {
  return steps.find(step => (hasMinutes || step >= hour) && seconds / step <= usualPoints) ?? day
}

function refuse (pointer: string, code: string, message: string): Error {
  return refusal([{ pointer, code, message }], InvalidRequestError)
}
