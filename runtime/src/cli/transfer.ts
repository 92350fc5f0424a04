import type { Command } from 'commander'
import { resolve } from 'node:path'
import { noteMoved } from '../backup/moved-state.ts'
import type { State } from '../backup/open-source.ts'
import { withoutPassword } from '../backup/without-password.ts'
import { InvalidConfigurationError } from '../errors.ts'
import { print, printError } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'

interface TransferOptions {
  to?: string
  redis?: string
  dataDir?: string
  json?: boolean
}

export function addTransfer (program: Command): void {
  program.command('transfer')
    .description('move the state of an embedded database to an empty PostgreSQL; stop the hub first')
    .option('--to <url>', 'address of the PostgreSQL database (DATABASE_URL)')
    .option('--redis <url>', 'address of Redis for the streams (REDIS_URL); without it they are tables')
    .option('--data-dir <directory>', 'directory of the embedded database (LINKER_DATA_DIR)')
    .option('--json', 'print JSON')
    .action(async (options: TransferOptions) => {
      const { source, target, credentialsKey } = await readStates(options)
      const progress = createProgress(process.stderr)
      const now = new Date()
      const [{ openSource }, { transferState }, { readKeyWarnings }] = await Promise.all([
        import('../backup/open-source.ts'),
        import('../backup/transfer.ts'),
        import('./key-warnings.ts')
      ])
      const { rows } = await transferState(source, target, now, table => {
        progress(`copying ${table}`)
      })
      await noteMoved(source.dataDirectory, withoutPassword(target.databaseUrl), now)
      print(options.json === true
        ? JSON.stringify({ rows, ...settingsOf(target) }, null, 2)
        : describeEnd(source, target, rows))
      const { query, close } = await openSource(target)
      try {
        for (const warning of await readKeyWarnings(query, credentialsKey)) printError(warning)
      } finally {
        await close()
      }
    })
}

type Target = State & { databaseUrl: string }

interface States {
  source: State
  target: Target
  credentialsKey: string | undefined
}

async function readStates ({ to, redis, dataDir }: TransferOptions): Promise<States> {
  const { readConfig } = await import('../config.ts')
  const { databaseUrl, redisUrl, dataDirectory, credentialsKey } = readConfig({
    ...process.env,
    ...(to === undefined ? {} : { DATABASE_URL: to }),
    ...(redis === undefined ? {} : { REDIS_URL: redis }),
    ...(dataDir === undefined ? {} : { LINKER_DATA_DIR: resolve(dataDir) })
  }, process.cwd())
  if (databaseUrl === undefined) {
    throw new InvalidConfigurationError('transfer needs a PostgreSQL database: pass --to or set DATABASE_URL')
  }
  return {
    source: { dataDirectory },
    target: { dataDirectory, databaseUrl, ...(redisUrl === undefined ? {} : { redisUrl }) },
    credentialsKey
  }
}

/** The settings with which the hub starts on its new state, without passwords. */
function settingsOf ({ databaseUrl, redisUrl }: Target): Record<string, string> {
  return {
    DATABASE_URL: withoutPassword(databaseUrl),
    ...redisUrl === undefined ? {} : { REDIS_URL: withoutPassword(redisUrl) }
  }
}

function describeEnd ({ dataDirectory }: State, target: Target, rows: number): string {
  return [
    `Transferred ${rows} rows. Start the hub with these settings from now on:`,
    '',
    ...Object.entries(settingsOf(target)).map(([name, value]) => `  ${name}=${value}`),
    '',
    `All other settings stay. ${dataDirectory} still holds the token of the hub and the old database, with ` +
    'which no hub starts any more. Delete the directory `database` in it when the new hub works.',
    '',
    'If the address of the hub changes, platforms still send their webhooks to the old one: set `callbackBaseUrl` ' +
    'with `linker connections edit`, and run `linker webhook install` for each connection'
  ].join('\n')
}
