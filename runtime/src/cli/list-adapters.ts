import { describeAdapters } from '../adapters/describe-adapters.ts'
import { stateOf, type AdapterRecord } from '../adapters/load.ts'
import { scanAdapters } from '../adapters/scan.ts'
import { readConfig } from '../config.ts'
import { print } from '../terminal/print.ts'

/** Prints the adapters of this project. Returns whether the hub can use all of them. */
export async function listAdapters (isJson: boolean): Promise<boolean> {
  const records = await scanAdapters(readConfig(process.env, process.cwd()))
  print(isJson ? JSON.stringify(records.map(summarize), null, 2) : describeAdapters(records))
  return records.every(({ adapter }) => adapter !== undefined)
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
