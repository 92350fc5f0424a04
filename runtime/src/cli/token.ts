import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { readOrCreateAdminToken } from '../http/admin-token.ts'
import { print } from '../terminal/print.ts'

export function addToken (program: Command): void {
  program.command('token')
    .description('print the token of the API, and create it if there is none')
    .action(async () => {
      const { token } = await readOrCreateAdminToken(readConfig(process.env, process.cwd()))
      print(token)
    })
}
