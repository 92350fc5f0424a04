import type { Command } from 'commander'
import { describeAdapters } from '../adapters/describe-adapters.ts'
import { stateOf, type AdapterRecord } from '../adapters/load.ts'
import { scanAdapters } from '../adapters/scan.ts'
import { readConfig } from '../config.ts'
import { print } from '../terminal/print.ts'

export function addAdapters (program: Command): void {
  program.command('adapters')
    .description('load the adapters of this project as `start` would, and list them; exits with 1 when one fails')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const records = await scanAdapters(readConfig(process.env, process.cwd()))
      print(options.json === true ? JSON.stringify(records.map(summarize), null, 2) : describeAdapters(records))
      // End the process here: the answer is complete, and the import of an adapter may have left a
      // timer or a socket behind.
      process.exit(records.every(record => record.adapter !== undefined) ? 0 : 1)
    })
}

function summarize (record: AdapterRecord): Record<string, unknown> {
  const { adapter, found, packageName, tested } = record
  const { state, problem } = stateOf(record)
  return {
    packageName,
    state,
    adapterKey: found?.manifest.adapterKey ?? null,
    version: found?.version ?? null,
    supportedCapabilities: adapter?.supportedCapabilities ?? [],
    conformance: tested ?? null,
    deprecated: found?.manifest.deprecated ?? null,
    error: problem ?? null
  }
}
