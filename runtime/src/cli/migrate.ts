import type { Command } from 'commander'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'

export function addMigrate (program: Command): void {
  program.command('migrate')
    .description('back the state up, bring the database up to date, and exit; `start` also does this')
    .action(async () => {
      const [{ readConfig }, { openDatabase }, { backUpBeforeUpgrade }, { createLogger }] = await Promise.all([
        import('../config.ts'),
        import('../database/database.ts'),
        import('../backup/before-upgrade.ts'),
        import('../observability/logging.ts')
      ])
      const config = readConfig(process.env, process.cwd())
      const log = createLogger(config)
      const beforeChange = backUpBeforeUpgrade({
        config,
        now: () => new Date(),
        onWritten (file) {
          print(`Before the change, the state was backed up to ${file}: the way back`)
        }
      })
      const progress = createProgress(process.stderr)
      progress('opening the database')
      const database = await openDatabase({
        ...config,
        beforeChange: async query => {
          if (beforeChange !== undefined) progress('backing the state up')
          await beforeChange?.(query)
          progress('changing the tables')
        }
      }, log)
      await database.close()
      print(`${
        database.mode === 'embedded' ? `The embedded database in ${config.dataDirectory}` : 'The database'
      } is up to date`)
    })
}
