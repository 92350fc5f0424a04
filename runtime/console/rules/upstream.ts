import type { Schemas } from '@linker/client'

type Upstream = NonNullable<Schemas['Diagnostics']['upstream']>
type Figures = NonNullable<Upstream['budget']['effective']>

/** A rate as people say it: requests in a second, or in a minute when they are few. */
export function rateOf (ratePerSecond: number): string {
  return ratePerSecond >= 1
    ? `${Number(ratePerSecond.toFixed(2))} a second`
    : `${Number((ratePerSecond * 60).toFixed(2))} a minute`
}

export function budgetOf (figures: Figures | null): string {
  return figures === null ? 'none' : `${rateOf(figures.ratePerSecond)}, at most ${figures.burst} at once`
}

/** Whether resetting does something: the hub holds its calls back for what the platform did. */
export function isSlowed ({ budget, breaker, throttledUntil }: Upstream): boolean {
  return breaker.state !== 'closed' || throttledUntil !== null || budget.learnt !== null
}
