import type { RequestBudget } from '@linker/sdk'
import type { Learnt } from './learnt-rate.ts'

/** A pace for requests, as the generic cell rate algorithm (GCRA) takes it. */
export interface Pace {
  /** The time between two requests in the long run. */
  intervalMs: number
  /** How far requests may come before their time: the room for a burst. */
  toleranceMs: number
}

/** A request may reach the platform this much after the time at which it was let out. */
export const lateSeconds = 0.25

/**
 * Returns the pace that keeps a budget even when requests arrive up to a quarter of a second late,
 * as those of several processes do. A late request can fall into the window of the next ones, so
 * the burst gives up the requests of that time; if the burst is too small, the rate gives up a
 * part.
 */
export function paceOf ({ ratePerSecond, burst }: RequestBudget): Pace {
  const keptBurst = Math.max(1, burst - ratePerSecond * lateSeconds)
  const rate = Math.min(ratePerSecond, (ratePerSecond + burst - keptBurst) / (1 + lateSeconds))
  const intervalMs = 1_000 / rate
  return { intervalMs, toleranceMs: (keptBurst - 1) * intervalMs }
}

export interface KnownLimits {
  /** The budget that an operator set. */
  own?: RequestBudget
  learnt?: Pick<Learnt, 'ratePerSecond'> | undefined
}

/** The budget that holds now: the smallest rate and the smallest burst of all. */
export function effectiveBudget (
  declared: RequestBudget | undefined,
  { own, learnt }: KnownLimits
): RequestBudget | undefined {
  const learntBudget = learnt === undefined
    ? undefined
    : { ratePerSecond: learnt.ratePerSecond, burst: Math.max(1, Math.floor(learnt.ratePerSecond)) }
  const budgets = [declared, own, learntBudget].filter(budget => budget !== undefined)
  if (budgets.length === 0) return undefined
  return {
    ratePerSecond: Math.min(...budgets.map(({ ratePerSecond }) => ratePerSecond)),
    burst: Math.min(...budgets.map(({ burst }) => burst))
  }
}
