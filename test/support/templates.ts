import { cpSync, existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The variable that names the directory of a migrated embedded database. Hubs copy it: making one
 * takes seconds of processor time.
 */
export const directoryVariable = 'LINKER_TEST_DIRECTORY_TEMPLATE'

/**
 * Copies the template to the place where a hub with this data directory looks for its database, if
 * none is there. Without a template the hub makes its own.
 */
export async function copyTemplate (dataDirectory: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const template = environment[directoryVariable]
  const database = join(dataDirectory, 'database')
  if (template === undefined || existsSync(database)) return
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  // Synchronous: the asynchronous copy of its thousand files takes five times as long.
  cpSync(template, database, { recursive: true })
}

// The types of Node lack it.
const { Module } = Reflect.get(globalThis, 'WebAssembly') as { Module: new(bytes: Uint8Array) => object }
let postgres: object | undefined

/**
 * Keeps the code of PostgreSQL for the embedded databases that this process opens. V8 shares the
 * code of a module among the threads of a process, and compiles it again after its last user ended.
 */
export function keepPostgres (): void {
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  postgres ??= new Module(readFileSync(file))
}
