import { contractVersion } from '@linker/sdk'
import semver from 'semver'

/** The contracts whose adapters a hub serves. */
export interface ServedContracts {
  present: string
  /**
   * The lines of former contracts: `1` for all of major version 1, `0.1` for all of 0.1. Nothing is
   * added to them any more, so the hub serves each of their versions.
   */
  former: readonly string[]
}

/**
 * The lines that hubs of later lines serve, as UPGRADING.md promises. A major version removes those
 * that it breaks.
 */
const keptLines = ['0.1']

export const served = servedBeside(contractVersion, keptLines)

/** The line of the hub itself may grow, so it is no former one. */
export function servedBeside (present: string, kept: readonly string[]): ServedContracts {
  return { present, former: kept.filter(line => line !== lineOf(present)) }
}

/** The line of a version: before 1.0, a minor version may break what was there. */
export function lineOf (version: string): string {
  return /^0\.\d+|^\d+/.exec(version)?.[0] ?? ''
}

/**
 * Says why a hub does not load an adapter whose package.json has this `engines.linker`. Undefined
 * when it does.
 */
export function rangeProblem (range: unknown, { present, former }: ServedContracts = served): string | undefined {
  if (range === undefined) return `engines.linker is missing: name the contract that it needs, such as ^${present}`
  if (typeof range !== 'string' || semver.validRange(range) === null) {
    return `engines.linker is ${JSON.stringify(range)}, which is not a SemVer range such as ^${present}`
  }
  const isServed = semver.satisfies(present, range) || former.some(line => semver.intersects(range, rangeOf(line)))
  return isServed ? undefined : `needs contract ${range}; this hub has ${describe({ present, former })}`
}

/**
 * Says why a hub does not load an adapter that a copy of the SDK with the contract `made` made.
 * Undefined when it does. The copy may be newer than the SDK of the hub: `engines.linker` says how
 * new the hub has to be.
 */
export function copyProblem (made: string, { present, former }: ServedContracts = served): string | undefined {
  const own = `it uses its own copy of @linker/sdk with contract ${made}; this hub has ${describe({ present, former })}`
  if (semver.valid(made) === null) return `${own}, and ${JSON.stringify(made)} is no version`
  if ([present, ...former].map(lineOf).includes(lineOf(made))) return undefined
  const remedy = 'Declare @linker/sdk as a peer dependency'
  return semver.gt(made, present) ? `${own}. ${remedy}, or update the hub` : `${own}. ${remedy}`
}

/** `^1` is all of 1, `^0.1` all of 0.1. */
function rangeOf (line: string): string {
  return `^${line}`
}

/** `contract 1.2.0, and those of 0.1`. */
function describe ({ present, former }: ServedContracts): string {
  return former.length === 0 ? `contract ${present}` : `contract ${present}, and those of ${former.join(' and ')}`
}
