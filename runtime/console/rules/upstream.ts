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
export function isSlowed ({ budget, areas, ...whole }: Upstream): boolean {
  return [{ learnt: budget.learnt, ...whole }, ...areas].some(({ learnt, throttledUntil, rest, breaker }) =>
    breaker.state !== 'closed' || throttledUntil !== null || rest !== null || learnt !== null
  )
}

/** Says what an area of the platform keeps from the hub; undefined when nothing does. */
export function stateOfArea ({ throttledUntil, rest, breaker }: Upstream['areas'][number]): string | undefined {
  if (breaker.state !== 'closed') return breaker.failure ?? 'it fails'
  if (rest !== null) return rest.reason
  return throttledUntil === null ? undefined : 'it asked for a rest'
}
