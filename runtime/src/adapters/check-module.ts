import { adapterKeyPattern } from '@linker/sdk'
import { checkAdapter, type AdapterDescription, type AdapterFault } from '@linker/sdk/host'
import semver from 'semver'
import type { Checked } from './checked.ts'
import { copyProblem } from './contracts.ts'
import type { AdapterPackage } from './discover.ts'
import type { ImportReport } from './isolation/protocol.ts'
import type { Fail } from './states.ts'

/**
 * Throws the reason for which the hub does not take an adapter whose import passed. Does not look
 * again for faults of an adapter that `checked` remembers: compiling its schemas takes longer than
 * its import.
 */
export function checkModule (
  found: AdapterPackage,
  { description, patched }: ImportReport,
  fail: Fail,
  checked?: Checked
): void {
  if (patched.length > 0) {
    throw fail(
      'invalid',
      'LNK_ADAPTER_GLOBALS_PATCHED',
      `its import replaces ${patched.slice(0, 5).join(', ')}, which all code of the process shares`
    )
  }
  const misfit = found.warning === undefined ? copyProblem(description.contractVersion) : undefined
  if (misfit !== undefined) throw fail('incompatible', 'LNK_ADAPTER_INCOMPATIBLE', misfit)
  const [fault, ...more] = [...checkOnce(found, description, checked), ...checkMigrations(description)]
  if (fault !== undefined) {
    throw fail(
      fault.code === 'LNK_ADAPTER_ROUTE_CONFLICT' ? 'conflicting' : 'invalid',
      fault.code,
      [fault, ...more].map(({ message }) => message).join('; ')
    )
  }
}

function checkOnce (
  { manifest }: AdapterPackage,
  description: AdapterDescription,
  checked: Checked | undefined
): AdapterFault[] {
  const subject = [manifest, description]
  if (checked?.has(subject) === true) return []
  const faults = checkAdapter(manifest, description)
  if (faults.length === 0) checked?.add(subject)
  return faults
}

/** Finds misspelt migrations: the hub would never apply them, and nobody would know. */
function checkMigrations ({ migrations }: AdapterDescription): AdapterFault[] {
  return migrations.flatMap(({ from, to }) => {
    const [key = '', range] = from.split('@')
    const isRight = new RegExp(adapterKeyPattern).test(key) &&
      (range === undefined || semver.validRange(range) !== null) && semver.valid(to) !== null
    return isRight
      ? []
      : [{
        code: 'LNK_ADAPTER_SHAPE_INVALID',
        message: `migration from '${from}' to '${to}': 'from' must be an adapter key or key@range, 'to' a version`
      }]
  })
}
