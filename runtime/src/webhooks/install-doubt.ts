import type { InstallOutcome } from './store.ts'

/** Why webhooks may not arrive after an install. */
export interface InstallDoubt {
  /** ISO 8601. */
  since: string
  /** Whether the hub did not reach its own address, so that the address itself may be wrong. */
  isAddressDoubtful: boolean
  reasons: string[]
}

/**
 * Tells why webhooks may not arrive after the last install, or returns undefined when that install
 * went well or a delivery has come since, accepted or refused. `arrivals`: when the last ones came,
 * ISO 8601.
 */
export function findInstallDoubt (
  { pingedAt, pingProblem, installWarning, warnedAt }: InstallOutcome,
  arrivals: readonly (string | null)[]
): InstallDoubt | undefined {
  const last = arrivals.reduce((latest, at) => latest === null || (at !== null && at > latest) ? at : latest, null)
  const failed = pingedAt !== null && pingProblem !== null && (last === null || last < pingedAt)
    ? { at: pingedAt, reason: pingProblem }
    : undefined
  // The test event of the hub itself may come in the millisecond in which the install ended.
  const warned = warnedAt !== null && installWarning !== null && (last === null || last <= warnedAt)
    ? { at: warnedAt, reason: installWarning }
    : undefined
  const first = failed ?? warned
  if (first === undefined) return undefined
  return {
    since: first.at,
    isAddressDoubtful: failed !== undefined,
    reasons: [failed, warned].flatMap(found => found === undefined ? [] : [found.reason])
  }
}
