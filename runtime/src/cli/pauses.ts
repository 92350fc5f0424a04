import { escapeUnprintable, everyPattern } from '@linker/sdk/host/text'
import { InvalidArgumentError, type Command } from 'commander'
import type { ConnectionView } from '../connections/schemas.ts'
import { parseEvery } from '../schedules/slots.ts'
import { print } from '../terminal/print.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

interface ResumeOptions extends HubOptions {
  capability?: string[]
  json?: boolean
}

interface PauseOptions extends ResumeOptions {
  reason?: string
  until?: string
}

/** `linker connections pause` and `linker connections resume`. */
export function addPauses (connections: Command, withHub: (command: Command) => Command): void {
  /** Sends a change of pauses and returns the connection as it is then. */
  async function change (
    action: 'pause' | 'resume',
    connection: string,
    { capability, ...options }: ResumeOptions,
    terms: object = {}
  ): Promise<ConnectionView> {
    const hub = await createHubClient(process.env, process.cwd(), options)
    const path = `/connections/${await findConnection(hub, connection)}/${action}`
    return await hub.call('POST', path, { capabilities: capability, ...terms }) as ConnectionView
  }

  withHub(connections.command('pause')
    .description('let the jobs of a connection wait, while the hub goes on accepting its webhooks')
    .argument(...connectionArgument)
    .option('--capability <name>', 'pause only this capability; may be given several times', collect)
    .option(
      '--until <time>',
      'end: a time (ISO 8601) or a length from now such as 30m, 2h or 1d; default: no end',
      parseUntil
    )
    .option('--reason <text>', 'reason, for colleagues')
    .option('--json', 'print the connection as JSON'))
    .action(async (connection: string, options: PauseOptions) => {
      const { reason, until, ...rest } = options
      const changed = await change('pause', connection, rest, { reason, until })
      print(options.json === true ? JSON.stringify(changed, null, 2) : describePauses(changed).join('\n'))
    })

  withHub(connections.command('resume').description('end the pause of a connection; its jobs go on at once')
    .argument(...connectionArgument)
    .option('--capability <name>', 'resume only this capability; may be given several times', collect)
    .option('--json', 'print the connection as JSON'))
    .action(async (connection: string, options: ResumeOptions) => {
      const changed = await change('resume', connection, options)
      if (options.json === true) print(JSON.stringify(changed, null, 2))
      else print(describePauses(changed).join('\n'))
    })
}

/** A line for each pause of a connection, or one that says that there is none. */
function describePauses ({ name, pauses, status }: ConnectionView): string[] {
  return pauses.length === 0
    ? [
      `${escapeUnprintable(name)} is not paused: ${status === 'active' ? 'its jobs go on' : `its status is ${status}`}`
    ]
    : pauses.map(pause => escapeUnprintable(`${name}: ${describePause(pause)}`))
}

/** Describes a pause: its capability or the whole connection, its end and its reason. */
export function describePause ({ capability, until, reason, by }: ConnectionView['pauses'][number]): string {
  const what = capability === null ? 'paused' : `${capability} paused`
  const end = until === null ? 'until somebody resumes it' : `until ${until}`
  return `${what} by ${by.name} ${end}${reason === null ? '' : `: ${reason}`}`
}

/** Turns a length from now, or a time, into the time that the hub takes. */
export function parseUntil (text: string, _before?: unknown, now = new Date()): string {
  const atMs = everyPattern.test(text) ? now.getTime() + parseEvery(text) : parseTime(text)
  if (Number.isNaN(atMs)) {
    throw new InvalidArgumentError('must be a time such as 2026-01-31T18:00:00Z or a length such as 30m, 2h or 1d')
  }
  return new Date(atMs).toISOString()
}

// JavaScript reads many texts as some time: `2` is in the year 2001.
function parseTime (text: string): number {
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
}

export function collect (value: string, before: string[] = []): string[] {
  return [...before, value]
}
