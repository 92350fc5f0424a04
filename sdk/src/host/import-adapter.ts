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
  const definition = defaultOf(await import(entry) as Exports)
  const description = describeAdapter(definition)
  await turn()
  return { definition: definition as Adapter, description }
}

interface Exports {
  default?: unknown
}

/**
 * Returns the default export. Of a module that a compiler turned into CommonJS, Node takes all the
 * exports for the default one; the compiler marks them with `__esModule`.
 */
function defaultOf ({ default: exported }: Exports): unknown {
  const isCompiled = typeof exported === 'object' && exported !== null && '__esModule' in exported
  return isCompiled ? (exported as Exports).default : exported
}
