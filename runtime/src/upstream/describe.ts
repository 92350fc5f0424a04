import type { HttpRequestEvent } from '@linker/sdk/host'
import type { Refused } from './admission.ts'
import type { Traffic } from './schemas.ts'

/** Says in a few words how a request failed. */
export function describeFailure ({ method, path, status, error }: HttpRequestEvent): string {
  const end = error === undefined ? `answered ${status ?? 'nothing'}` : `failed: ${error}`
  return `${method} ${path} ${end}`.slice(0, 300)
}

/** Names a platform, or an area of it. */
export function describePart (area: string | null | undefined): string {
  return typeof area === 'string' ? `the area '${area}' of the platform` : 'the platform'
}

/** A rate for people, rounded to three digits. */
export function describeRate (ratePerSecond: number): string {
  const rate = Number(ratePerSecond.toPrecision(3))
  return `${rate} ${rate === 1 ? 'request' : 'requests'} per second`
}

/** Says who set a budget, when and why: `ada at 2026-01-31T10:00:00.000Z: month end`. */
export function describeAuthor ({ by, since, reason }: NonNullable<Traffic['budget']['own']>): string {
  const who = by === null ? 'an operator' : by.name
  return `${who}${since === null ? '' : ` at ${since}`}${reason === null ? '' : `: ${reason}`}`
}

/**
 * Says why a request must wait, as jobs and API clients see it. It names a time and no duration,
 * because a job keeps the text.
 */
export function describeWait (
  { reason, area, inMs, budget, cause }: Refused,
  isTooLate: boolean,
  now: Date
): string {
  const until = `until ${new Date(Math.ceil((now.getTime() + inMs) / 1_000) * 1_000).toISOString().replace('.000', '')}`
  const ofArea = area === undefined ? '' : ` for its area '${area}'`
  switch (reason) {
    case 'budget': {
      const rate = describeRate(budget?.ratePerSecond ?? 0)
      return isTooLate
        ? `the requests of the job do not fit into its time at ${rate}, the budget of the connection`
        : `the budget of the connection, ${rate}, has no place ${until}`
    }
    case 'rate-limit':
      return `the platform asked for a rest${ofArea} ${until}`
    case 'unavailable':
      return cause ?? 'the platform is away'
    case 'circuit-breaker':
      return `the circuit breaker${ofArea} is open ${until}, because the platform failed (${cause})`
  }
}
