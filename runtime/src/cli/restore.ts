import type { Command } from 'commander'
import { resolve } from 'node:path'
import type { Header } from '../backup/archive.ts'
import { checkBackupFile, readBackupFile } from '../backup/backup-file.ts'
import { openSource, type State } from '../backup/open-source.ts'
import type { Restored } from '../backup/restore-backup.ts'
import { restoreInto } from '../backup/restore-into.ts'
import { readConfig, type Config } from '../config.ts'
import { missingKeyIds } from '../credentials/key-ids.ts'
import { readKeyIds } from '../credentials/store.ts'
import { print, printError } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'

export function addRestore (program: Command): void {
  program.command('restore')
    .description('write a backup into the state that `start` would use: it must be empty, and no hub may use it')
    .argument('<file>', 'file that `linker backup` wrote, in any mode')
    .option('--data-dir <directory>', 'restore into an embedded database in this directory (LINKER_DATA_DIR)')
    .option('--json', 'print JSON')
    .action(async (file: string, options: { dataDir?: string, json?: boolean }) => {
      const config = readConfig(process.env, process.cwd())
      const state = options.dataDir === undefined ? config : { dataDirectory: resolve(options.dataDir) }
      const progress = createProgress(process.stderr)
      progress('checking the file')
      const { header } = await checkBackupFile(file)
      const restored = await restoreInto(state, {
        header,
        pieces: readBackupFile(file),
        now: new Date(),
        onStep: progress
      })
      report(options.json === true, { header, restored, state })
      await warnAboutKeys(config, state)
    })
}

function report (isJson: boolean, { header, restored, state }: {
  header: Header,
  restored: Restored,
  state: State
}): void {
  const { leftOut, ...totals } = restored
  if (isJson) print(JSON.stringify({ ...header, ...totals, leftOut, target: describeState(state) }, null, 2))
  else {
    print(`Restored ${totals.rows} rows into ${describeState(state)}: the state at ${header.takenAt}`)
    if (leftOut.length > 0) print(`Left out, because they are no tables of the hub: ${leftOut.join(', ')}`)
  }
}

/** Names the state without passwords. */
export function describeState ({ databaseUrl, redisUrl, dataDirectory }: State): string {
  if (databaseUrl === undefined) return `the embedded database in ${dataDirectory}`
  return [databaseUrl, ...(redisUrl === undefined ? [] : [redisUrl])].map(withoutPassword).join(' and ')
}

export function withoutPassword (address: string): string {
  const url = new URL(address)
  if (url.password !== '') url.password = '***'
  return url.href
}

/** The sealed credentials need the keys with which the old hub sealed them. */
export async function warnAboutKeys (
  { credentialsKey }: Pick<Config, 'credentialsKey'>,
  state: State
): Promise<void> {
  const source = await openSource(state)
  try {
    for (const id of missingKeyIds(await readKeyIds(source.query), credentialsKey)) {
      printError(`WARNING: some credentials are encrypted with key '${id}': add it to LINKER_CREDENTIALS_KEY before ` +
        'you start the hub')
    }
  } finally {
    await source.close()
  }
}
