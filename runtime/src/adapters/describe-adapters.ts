import { escapeUnprintable } from '@linker/sdk/host/text'
import { formatTable } from '../terminal/table.ts'
import { nameOf, stateOf, type AdapterRecord } from './load.ts'

/** The start table: one line per adapter, with the reason below those that do not serve. */
export function describeAdapters (records: readonly AdapterRecord[]): string {
  if (records.length === 0) return 'No adapters. Add one to this project: linker add <package>'
  const table = formatTable(
    ['adapter', 'version', 'state', 'level', 'capabilities', 'package'],
    records.map(record => [
      record.found?.manifest.adapterKey ?? '-',
      record.found?.version ?? '-',
      stateOf(record).state,
      levelOf(record),
      record.adapter?.supportedCapabilities.join(', ') ?? '',
      record.packageName
    ])
  )
  const problems = records.flatMap(({ problem, found, adapter }) =>
    problem === undefined ? adapter?.warning ?? found?.warning ?? [] : `${problem.code}: ${problem.message}`
  )
  const notes = records.flatMap(record => [...describeUntested(record), ...describeDeprecation(record)])
  return [table, ...problems.map(escapeUnprintable), ...notes].join('\n')
}

/** The level of the conformance suite that the author reports. */
function levelOf ({ tested }: AdapterRecord): string {
  return tested === undefined ? '-' : String(tested.level ?? '?')
}

function describeUntested ({ found, tested }: AdapterRecord): string[] {
  return found === undefined || tested?.reason === undefined
    ? []
    : [escapeUnprintable(`nobody knows the level of ${nameOf(found)}: ${tested.reason}`)]
}

function describeDeprecation ({ found }: AdapterRecord): string[] {
  const { deprecated } = found?.manifest ?? {}
  return found === undefined || deprecated === undefined
    ? []
    : [escapeUnprintable(`${nameOf(found)} is deprecated: ${deprecated}`)]
}
