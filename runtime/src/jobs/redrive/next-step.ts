import type { Figures } from './figures.ts'
import type { RedriveState } from './schemas.ts'

/** Jobs that one transaction runs again. */
export const mostInOneStep = 500

/** A redrive on which the hub has to work. */
export interface OpenRedrive {
  state: RedriveState
  /** How many jobs it runs again before somebody continues it. Null: all. */
  goal: number | null
  perMinute: number | null
  /** How long its rate lets it rest from now on. */
  restMs: number
}

/**
 * The next action of the hub for a redrive. `retry`: runs at most `most` jobs again. `look`: only
 * looks again after `afterMs`. `end`: changes its state, and has no more work with it.
 */
export type Step =
  | { kind: 'retry', most: number }
  | { kind: 'look', afterMs: number }
  | { kind: 'end', state: RedriveState }

/**
 *     running ──all have ended───────────────▶ done
 *        │  ▲                                   ▲
 *        │  └──continue── waiting ◀──the first──┤ unless none is left
 *        │                  │      have ended
 *        └──────stop────────┴──▶ stopped
 */
export function nextStep (
  { state, goal, perMinute, restMs }: OpenRedrive,
  { retried, inProgress, remaining }: Pick<Figures, 'retried' | 'inProgress' | 'remaining'>
): Step {
  const wanted = goal === null ? remaining : Math.min(remaining, goal - retried)
  if (state === 'running' && wanted > 0) {
    return restMs > 0
      ? { kind: 'look', afterMs: Math.min(restMs, lookAfterMs(inProgress)) }
      : { kind: 'retry', most: Math.min(wanted, paceOf(perMinute).most) }
  }
  if (inProgress > 0) return { kind: 'look', afterMs: lookAfterMs(inProgress) }
  if (state !== 'running') return { kind: 'end', state }
  return { kind: 'end', state: remaining > 0 ? 'waiting' : 'done' }
}

/**
 * How long the hub waits before it looks how jobs have ended. A look at 10 000 jobs takes a tenth
 * of a second of the embedded database.
 */
function lookAfterMs (inProgress: number): number {
  return Math.min(5_000, Math.max(1_000, inProgress / 2))
}

/**
 * How many jobs may run again at once, and how long the redrive rests then. Spreads the jobs over
 * the minute: at most one step a second for each 60 jobs a minute.
 */
export function paceOf (perMinute: number | null): { most: number, restMs: number } {
  if (perMinute === null) return { most: mostInOneStep, restMs: 0 }
  const most = Math.max(1, Math.floor(perMinute / 60))
  const steps = Math.floor(perMinute / most)
  return { most, restMs: Math.ceil(60_000 / steps) }
}
