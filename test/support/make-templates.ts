import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase, serverVariable } from './databases.ts'
import { runLinker } from './hub-process.ts'
import { directoryVariable } from './templates.ts'

export interface Templates {
  variables: Record<string, string>
  drop(): Promise<void>
}

/**
 * Migrates one database of each kind per run, for tests to copy. Tests about migrations make their
 * own.
 */
export async function makeTemplates (directory: string, serverUrl: string | undefined): Promise<Templates> {
  await mkdir(directory)
  const embedded = migrate(directory, { LINKER_DATA_DIR: directory })
  const variables = { [directoryVariable]: join(directory, 'database') }
  if (serverUrl === undefined) {
    await embedded
    return { variables, drop: async () => undefined }
  }
  const { name, url, drop } = await createDatabase(serverUrl, new Date())
  await Promise.all([embedded, migrate(directory, { DATABASE_URL: url })])
  return { variables: { ...variables, [serverVariable]: name }, drop }
}

async function migrate (directory: string, variables: Record<string, string>): Promise<void> {
  const { code, stderr } = await runLinker(['migrate'], directory, {
    ADMIN_TOKEN: randomBytes(32).toString('hex'),
    ...variables
  })
  if (code !== 0) throw new Error(`the template was not made: ${stderr}`)
}
