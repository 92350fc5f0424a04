import { contractVersion } from '@linker/sdk'
import semver from 'semver'

/**
 * The last versions of former contracts whose adapters this hub still serves, as UPGRADING.md
 * promises. A change that would break them removes them here, in a major version.
 */
const formerContracts = ['0.1.0']

/** The contracts that this hub serves, its own first. */
export const servedContracts: readonly string[] = servedBeside(contractVersion, formerContracts)

/** A former contract that is the present one, too, is served once. */
export function servedBeside (present: string, former: readonly string[]): string[] {
  return [present, ...former.filter(contract => contract !== present)]
}

/** Whether an adapter that was written for a range of contracts works with one that is served. */
export function servesRange (range: string, contracts = servedContracts): boolean {
  return contracts.some(contract => semver.satisfies(contract, range))
}

/**
 * Whether an adapter that was made with this version of the SDK works with a served contract. Its
 * copy of the SDK may be older or newer than the one of the hub: the range in `engines.linker` says
 * how new the hub has to be.
 */
export function servesContract (made: string, contracts = servedContracts): boolean {
  return contracts.some(contract => semver.satisfies(contract, `^${made}`) || semver.satisfies(made, `^${contract}`))
}

const list = new Intl.ListFormat('en')

/** `contract 1.0.0 and 0.1.0`. */
export function describeContracts (contracts = servedContracts): string {
  return `contract ${list.format(contracts)}`
}
