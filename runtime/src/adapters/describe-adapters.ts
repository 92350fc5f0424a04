import { escapeUnprintable } from '@linker/sdk/host/text'
import { formatTable } from '../terminal/table.ts'
import { nameOf, stateOf, type AdapterRecord } from './load.ts'

/** The start table: one line per adapter, with the reason below those that do not serve. */
export function describeAdapters (records: readonly AdapterRecord[]): string {
  if (records.length === 0) return 'No adapters. Add one to this project: linker add <package>'
  const table = formatTable(
    ['adapter', 'version', 'state', 'capabilities', 'package'],
    records.map(record => [
      record.found?.manifest.adapterKey ?? '-',
      record.found?.version ?? '-',
      stateOf(record).state,
      record.adapter?.supportedCapabilities.join(', ') ?? '',
      record.packageName
    ])
  )
  const problems = records.flatMap(({ problem, found }) =>
    problem === undefined ? found?.warning ?? [] : `${problem.code}: ${problem.message}`
  )
  return [table, ...problems.map(escapeUnprintable), ...records.flatMap(describeDeprecation)].join('\n')
}

function describeDeprecation ({ found }: AdapterRecord): string[] {
  const { deprecated } = found?.manifest ?? {}
  return found === undefined || deprecated === undefined
    ? []
    : [escapeUnprintable(`${nameOf(found)} is deprecated: ${deprecated}`)]
}
