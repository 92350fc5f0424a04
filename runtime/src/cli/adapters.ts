import { escapeUnprintable } from '@linker/sdk/host'
import type { Command } from 'commander'
import { stateOf, type AdapterRecord } from '../adapters/load.ts'
import { scanAdapters } from '../adapters/scan.ts'
import { readConfig } from '../config.ts'
import { formatTable } from './table.ts'
import { print } from './terminal.ts'

export function addAdapters (program: Command): void {
  program.command('adapters')
    .description('load the adapters of this project as `start` would, and list them; ends 1 when one does not serve')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const records = await scanAdapters(readConfig(process.env, process.cwd()))
      print(options.json === true ? JSON.stringify(records.map(summarize), null, 2) : describeAdapters(records))
      // A third party's import may have left a timer or a socket behind; the answer is complete.
      process.exit(records.every(record => record.adapter !== undefined) ? 0 : 1)
    })
}

function summarize (record: AdapterRecord): Record<string, unknown> {
  const { adapter, found, packageName } = record
  const { state, problem } = stateOf(record)
  return {
    packageName,
    state,
    adapterKey: found?.manifest.adapterKey ?? null,
    version: found?.version ?? null,
    supportedCapabilities: adapter?.supportedCapabilities ?? [],
    error: problem ?? null
  }
}

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
  return [table, ...problems.map(escapeUnprintable)].join('\n')
}
