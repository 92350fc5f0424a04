import type { Command } from 'commander'
import { rmSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { append, draftOf, stampOf, writeBackupFile, writeCompressed } from '../backup/backup-file.ts'
import { print, printError } from '../terminal/print.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type DownloadingClient, type HubOptions } from './hub-client.ts'

interface BackupOptions extends HubOptions {
  out?: string
  json?: boolean
}

export function addBackup (program: Command): void {
  withHub(program.command('backup')
    .description('write the whole state of the hub into one file; the hub may run')
    .option('--out <file>', 'the file; default: linker-<time>.backup.gz in this folder')
    .option('--json', 'print JSON'))
    .action(async (options: BackupOptions) => {
      const now = new Date()
      const out = resolve(options.out ?? `linker-${stampOf(now)}.backup.gz`)
      const progress = createProgress(process.stderr)
      const { bytes, header, ...totals } = await removingDraft(
        out,
        () =>
          writeBackupFile(out, async file => {
            await takeBackup(file, options, now, progress)
            progress('checking the file')
          })
      )
      if (options.json === true) print(JSON.stringify({ file: out, bytes, ...header, ...totals }, null, 2))
      else print(`${out}: ${totals.rows} rows, ${bytes} bytes, the state at ${header.takenAt}`)
      for (const warning of describeWarnings(header.plainSecrets, process.stderr.isTTY)) printError(warning)
    })
}

/**
 * Returns the lines that a person at a terminal should read about the file. Without a terminal,
 * returns only what is wrong: a cron job mails all that the command prints.
 */
export function describeWarnings (plainSecrets: number, isTerminal: boolean | undefined): string[] {
  return [
    ...(isTerminal === true
      ? [
        'The file does not hold LINKER_CREDENTIALS_KEY, linker.config.json, linker.lock and package.json: keep them ' +
        'elsewhere'
      ]
      : []),
    ...(plainSecrets === 0
      ? []
      : [
        `WARNING: ${plainSecrets} credentials and secrets in the file are not encrypted, because the hub stored them ` +
        'without LINKER_CREDENTIALS_KEY: keep the file as safe as the credentials'
      ])
  ]
}

/** Writes a file. A signal that ends the process removes the draft of it first. */
async function removingDraft<Result> (out: string, write: () => Promise<Result>): Promise<Result> {
  const stop = (): void => {
    rmSync(draftOf(out), { force: true })
    printError(`linker: stopped; there is no ${basename(out)} of this run`)
    process.exit(1)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await write()
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Asks the running hub, or opens the database itself when none runs. */
async function takeBackup (file: FileHandle, options: HubOptions, now: Date, progress: Progress): Promise<void> {
  const hub = await findHub(options)
  if (hub !== undefined) {
    progress(`the hub at ${hub.url} takes the backup`)
    await pipeline(await hub.download('POST', '/backup'), source => append(file, source))
    return
  }
  progress('no hub answers; reading the database')
  const [{ readConfig }, { openSource }, { writeBackup }] = await Promise.all([
    import('../config.ts'),
    import('../backup/open-source.ts'),
    import('../backup/write-backup.ts')
  ])
  const source = await openSource(readConfig(process.env, process.cwd()))
  try {
    await writeCompressed(file, stream => writeBackup(source, stream, now, progress))
  } finally {
    await source.close()
  }
}

/** The hub of this folder, if it runs; a hub that was named must run. */
async function findHub (options: HubOptions): Promise<DownloadingClient | undefined> {
  const { readConfig } = await import('../config.ts')
  const isNamed = options.url !== undefined || readConfig(process.env, process.cwd()).clientUrl !== undefined
  try {
    const hub = await createHubClient(process.env, process.cwd(), options)
    await hub.call('GET', '/system')
    return hub
  } catch (error) {
    if (!isNamed && error instanceof HubError && error.notAsked !== undefined) return undefined
    throw error
  }
}
