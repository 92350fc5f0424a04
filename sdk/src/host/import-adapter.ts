import { setImmediate as turn } from 'node:timers/promises'
import type { Adapter } from '../adapter.ts'
import { describeAdapter, type AdapterDescription } from './describe.ts'

export interface ImportedAdapter {
  definition: Adapter
  description: AdapterDescription
}

/**
 * Imports the module of an adapter, by its `file:` URL, and describes its default export. Throws
 * what the module throws, or a `ShapeError`. Returns after a turn of the event loop: by then Node
 * has reported a rejected promise that the module left behind and nobody handles.
 */
export async function importAdapter (entry: string): Promise<ImportedAdapter> {
  const module = await import(entry) as { default?: unknown }
  const description = describeAdapter(module.default)
  await turn()
  return { definition: module.default as Adapter, description }
}
