import { cpSync, existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Names the directory of an embedded database that is up to date, for copies: making one takes
 * seconds of a processor.
 */
export const directoryVariable = 'LINKER_TEST_DIRECTORY_TEMPLATE'

/**
 * Puts an empty database where a hub with this data directory looks for its own, if there is none.
 * Without a template the hub makes one itself.
 */
export async function copyTemplate (dataDirectory: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const template = environment[directoryVariable]
  const database = join(dataDirectory, 'database')
  if (template === undefined || existsSync(database)) return
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  // At once: file by file the thousand of them take five times as long.
  cpSync(template, database, { recursive: true })
}
