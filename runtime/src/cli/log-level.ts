import { escapeUnprintable } from '@linker/sdk/host/text'
import { Argument, InvalidArgumentError, type Command } from 'commander'
import type { LogLevelView, System } from '../system/schemas.ts'
import { print } from '../terminal/print.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'usual']

/** `linker log-level`. */
export function addLogLevel (program: Command): void {
  withHub(program.command('log-level')
    .description('show at which level a running hub logs, or make all its processes log at another one for a while')
    .addArgument(new Argument('[level]', 'the level; `usual` goes back to LOG_LEVEL').choices(levels))
    .option('--minutes <n>', 'how long it holds, at most 1440; default: 30', parseMinutes)
    .option('--json', 'print JSON'))
    .action(async (level: string | undefined, { minutes, json, ...options }: Options) => {
      if (minutes !== undefined && (level === undefined || level === 'usual')) {
        throw new HubError('--minutes goes with a level other than `usual`')
      }
      const view = await run(await createHubClient(process.env, process.cwd(), options), level, minutes)
      print(json === true ? JSON.stringify(view, null, 2) : describeLevel(view))
    })
}

interface Options extends HubOptions {
  minutes?: number
  json?: boolean
}

async function run (hub: HubClient, level: string | undefined, minutes: number | undefined): Promise<LogLevelView> {
  if (level === undefined) return (await hub.call('GET', '/system') as System).logLevel
  if (level === 'usual') return await hub.call('DELETE', '/system/log-level') as LogLevelView
  return await hub.call('PUT', '/system/log-level', { level, minutes }) as LogLevelView
}

function describeLevel ({ level, usual, until }: LogLevelView): string {
  return escapeUnprintable(until === null ? `${level}, as LOG_LEVEL says` : `${level} until ${until}, then ${usual}`)
}

function parseMinutes (text: string): number {
  const minutes = Number(text)
  if (!(/^\d+$/.test(text) && minutes >= 1 && minutes <= 1_440)) {
    throw new InvalidArgumentError('must be a whole number from 1 to 1440')
  }
  return minutes
}
