import type { Command } from 'commander'
import { resolve } from 'node:path'
import type { Header } from '../backup/archive.ts'
import { checkBackupFile, readBackupFile } from '../backup/backup-file.ts'
import type { State } from '../backup/open-source.ts'
import type { Restored } from '../backup/restore-backup.ts'
import type { Revived } from '../backup/revived.ts'
import { withoutPassword } from '../backup/without-password.ts'
import { print, printError } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'

export function addRestore (program: Command): void {
  program.command('restore')
    .description('write a backup into the state that `start` would use: it must be empty, and no hub may use it')
    .argument('<file>', 'file that `linker backup` wrote, in any mode')
    .option('--data-dir <directory>', 'restore into an embedded database in this directory (LINKER_DATA_DIR)')
    .option('--json', 'print JSON')
    .action(async (file: string, options: { dataDir?: string, json?: boolean }) => {
      const { readConfig } = await import('../config.ts')
      const config = readConfig(process.env, process.cwd())
      const state = options.dataDir === undefined ? config : { dataDirectory: resolve(options.dataDir) }
      const progress = createProgress(process.stderr)
      progress('checking the file')
      const { header } = await checkBackupFile(file)
      const { restoreInto } = await import('../backup/restore-into.ts')
      const restored = await restoreInto(state, {
        header,
        pieces: readBackupFile(file),
        now: new Date(),
        onStep: progress
      })
      progress('looking for tokens and webhook secrets')
      const { revived, warnings } = await readSecrets(state, config.credentialsKey)
      report(options.json === true, { header, restored, revived, state })
      for (const warning of warnings) printError(warning)
    })
}

/** Reads the tokens and webhook secrets of the restored state, and what its keys lack. */
async function readSecrets (
  state: State,
  credentialsKey: string | undefined
): Promise<{ revived: Revived, warnings: string[] }> {
  const [{ openSource }, { readRevived }, { readKeyWarnings }] = await Promise.all([
    import('../backup/open-source.ts'),
    import('../backup/revived.ts'),
    import('./key-warnings.ts')
  ])
  const { query, close } = await openSource(state)
  try {
    return {
      revived: await readRevived(query, new Date()),
      warnings: await readKeyWarnings(query, credentialsKey)
    }
  } finally {
    await close()
  }
}

function report (isJson: boolean, { header, restored, revived, state }: {
  header: Header,
  restored: Restored,
  revived: Revived,
  state: State
}): void {
  const { leftOut, ...totals } = restored
  if (isJson) {
    print(JSON.stringify({ ...header, ...totals, leftOut, target: describeState(state), revived }, null, 2))
    return
  }
  print(`Restored ${totals.rows} rows into ${describeState(state)}: the state at ${header.takenAt}`)
  if (leftOut.length > 0) print(`Left out, because they are no tables of the hub: ${leftOut.join(', ')}`)
  for (const part of describeRevived(revived)) print(`\n${part}`)
}

/** Tables of what works again, each after the command that ends it. */
export function describeRevived ({ tokens, webhookSecrets }: Revived): string[] {
  const ofTokens = 'These tokens work again, also those that were revoked after the backup. ' +
    '`linker tokens revoke <token>` ends one:'
  const ofSecrets = 'These webhook secrets work again, also those that were replaced after the backup. ' +
    '`linker webhook install <connection>` replaces those of a connection, which then end within a day:'
  return [
    ...tokens.length === 0 ? [] : [`${ofTokens}\n${
      formatTable(
        ['name', 'scope', 'made', 'end', 'last used', 'id'],
        tokens.map(({ name, scope, createdAt, expiresAt, lastUsedAt, id }) => [
          name,
          scope,
          createdAt,
          expiresAt ?? '',
          lastUsedAt ?? 'never',
          id
        ])
      )
    }`],
    ...webhookSecrets.length === 0 ? [] : [`${ofSecrets}\n${
      formatTable(
        ['connection', 'made', 'installed', 'end', 'connection id'],
        webhookSecrets.map(({ connectionName, createdAt, installedAt, expiresAt, connectionId }) => [
          connectionName,
          createdAt,
          installedAt ?? 'not known',
          expiresAt ?? '',
          connectionId
        ])
      )
    }\nReplace none while another hub serves the platforms: they would get a secret that the other hub does not know`]
  ]
}

/** Names the state without passwords. */
export function describeState ({ databaseUrl, redisUrl, dataDirectory }: State): string {
  if (databaseUrl === undefined) return `the embedded database in ${dataDirectory}`
  return [databaseUrl, ...(redisUrl === undefined ? [] : [redisUrl])].map(withoutPassword).join(' and ')
}
