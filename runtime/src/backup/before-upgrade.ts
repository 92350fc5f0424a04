import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { asError } from '../as-error.ts'
import type { Config } from '../config.ts'
import type { Query } from '../database/database.ts'
import { UpgradeBackupError } from '../errors.ts'
import { packageJson } from '../package-folder.ts'
import { stampOf, writeBackupFile, writeCompressed } from './backup-file.ts'
import { sourceOver, type State } from './open-source.ts'
import { checkRoom } from './spool.ts'
import { readDatabaseBytes } from './store.ts'
import { writeBackup } from './write-backup.ts'

export interface UpgradeBackupOptions {
  config: State & Pick<Config, 'backsUpBeforeUpgrade'>
  now: () => Date
  /** Called with the path of the backup. */
  onWritten(file: string): void
}

/**
 * Returns what `openDatabase` calls before it changes the tables of an older version: it writes a
 * backup, which is the only way back. Keeps the newest two such files, because they hold the data
 * of buyers. Undefined when the settings switch it off.
 */
export function backUpBeforeUpgrade ({ config, now, onWritten }: UpgradeBackupOptions):
  | ((query: Query) => Promise<void>)
  | undefined
{
  if (!config.backsUpBeforeUpgrade) return undefined
  return async query => {
    const file = join(config.dataDirectory, `before-${packageJson.version}-${stampOf(now())}.backup.gz`)
    try {
      await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 })
      await checkRoom(config.dataDirectory, await readDatabaseBytes(query))
      await writeTo(file, config, query, now())
    } catch (error) {
      throw Object.assign(new UpgradeBackupError(file, asError(error).message), { cause: error })
    }
    // The backup is whole: a directory that cannot be tidied must not stop the upgrade.
    await removeOlder(config.dataDirectory, basename(file)).catch(() => undefined)
    onWritten(file)
  }
}

const keptBeside = 1
const namePattern = /^before-.+-(\d{8}T\d{6}Z)\.backup\.gz$/

/** A killed process leaves its draft. The lock of the migrations admits no other writer. */
const draftPattern = /^before-.+\.backup\.gz\.\d+\.part$/

async function removeOlder (directory: string, newest: string): Promise<void> {
  const names = await readdir(directory)
  const found = names.flatMap(name => {
    const time = namePattern.exec(name)?.[1]
    return time === undefined || name === newest ? [] : [{ name, time }]
  })
  const newestFirst = found.toSorted((one, other) => other.time.localeCompare(one.time))
  const surplus = [
    ...newestFirst.slice(keptBeside).map(({ name }) => name),
    ...names.filter(name => draftPattern.test(name))
  ]
  for (const name of surplus) await rm(join(directory, name), { force: true })
}

async function writeTo (path: string, state: State, query: Query, now: Date): Promise<void> {
  await writeBackupFile(path, async file => {
    const source = await sourceOver(state, query)
    try {
      await writeCompressed(file, stream => writeBackup(source, stream, now))
    } finally {
      await source.close()
    }
  })
}
