import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { createLogger } from '../observability/logging.ts'
import { print } from '../terminal/print.ts'

export function addMigrate (program: Command): void {
  program.command('migrate')
    .description('bring the database up to date and exit; `start` also does this')
    .action(async () => {
      const { openDatabase } = await import('../database/database.ts')
      const config = readConfig(process.env, process.cwd())
      const log = createLogger(config)
      const database = await openDatabase(config, log)
      await database.close()
      print(`${
        database.mode === 'embedded' ? `The embedded database in ${config.dataDirectory}` : 'The database'
      } is up to date`)
    })
}
