import type { Adapter } from '@linker/sdk'
import { describeAdapter, type AdapterDescription } from '@linker/sdk/host'

export interface ImportedAdapter { definition: Adapter, description: AdapterDescription }

/** Imports the module and describes its default export. Throws what the module throws, or a `ShapeError`. */
export async function importAdapter (entry: string): Promise<ImportedAdapter> {
  const module = await import(entry) as { default?: unknown }
  const description = describeAdapter(module.default)
  return { definition: module.default as Adapter, description }
}
