import { InvalidArgumentError, type Command } from 'commander'
import { readOrCreateAdminToken, rotateAdminToken } from '../http/admin-token.ts'
import { print, printError } from '../terminal/print.ts'

const hourMs = 3_600_000
const mostHours = 720

export function addToken (program: Command): void {
  const token = program.command('token')
    .description("print the hub's own token, and create it if there is none")
    .action(async () => {
      const { readConfig } = await import('../config.ts')
      const { token } = await readOrCreateAdminToken(readConfig(process.env, process.cwd()))
      print(token)
    })

  token.command('rotate').description("replace the hub's own token in the data directory; needs no restart")
    .option('--overlap-hours <hours>', 'how long the former token stays valid', parseHours, 24)
    .action(async ({ overlapHours }: { overlapHours: number }) => {
      const { readConfig } = await import('../config.ts')
      const config = readConfig(process.env, process.cwd())
      if (config.adminToken !== undefined) {
        throw new Error("ADMIN_TOKEN sets the hub's own token. Change the variable and restart the hub; named " +
          'tokens (`linker tokens create --scope admin`) go on working meanwhile')
      }
      print(await rotateAdminToken(config, overlapHours * hourMs))
      printError(`the former token ${overlapHours === 0 ? 'has ended' : `ends in ${overlapHours} h`}`)
    })
}

function parseHours (text: string): number {
  const hours = Number(text)
  if (!(text.trim() !== '' && Number.isInteger(hours) && hours >= 0 && hours <= mostHours)) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${mostHours}.`)
  }
  return hours
}
