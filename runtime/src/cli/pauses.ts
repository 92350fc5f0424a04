import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'
import { futureForms, parseFuture } from './parse-time.ts'

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
  /** Sends a change of pauses and returns the connection as it was before and is then. */
  async function change (
    action: 'pause' | 'resume',
    connection: string,
    { capability, ...options }: ResumeOptions,
    terms: object = {}
  ): Promise<{ before: ConnectionView, changed: ConnectionView }> {
    const hub = await createHubClient(process.env, process.cwd(), options)
    const path = `/connections/${await findConnection(hub, connection)}`
    const before = await hub.call('GET', path) as ConnectionView
    const changed = await hub.call('POST', `${path}/${action}`, { capabilities: capability, ...terms })
    return { before, changed: changed as ConnectionView }
  }

  withHub(connections.command('pause')
    .description('let the jobs of a connection wait, while the hub goes on accepting its webhooks')
    .argument(...connectionArgument)
    .option('--capability <name>', 'pause only this capability; may be given several times', collect)
    .option('--until <time>', `end: ${futureForms}; default: no end`, parseFuture)
    .option('--reason <text>', 'reason, for colleagues')
    .option('--json', 'print the connection as JSON'))
    .action(async (connection: string, options: PauseOptions) => {
      const { reason, until, ...rest } = options
      const { changed } = await change('pause', connection, rest, { reason, until })
      print(options.json === true ? JSON.stringify(changed, null, 2) : describePauses(changed).join('\n'))
    })

  withHub(connections.command('resume').description('end the pause of a connection; its jobs go on at once')
    .argument(...connectionArgument)
    .option('--capability <name>', 'resume only this capability; may be given several times', collect)
    .option('--json', 'print the connection as JSON'))
    .action(async (connection: string, options: ResumeOptions) => {
      const { before, changed } = await change('resume', connection, options)
      print(options.json === true
        ? JSON.stringify(changed, null, 2)
        : describeResumed(before, changed, options.capability).join('\n'))
    })
}

type Pausable = Pick<ConnectionView, 'name' | 'pauses' | 'status'>

/** Says so when nothing of what was to go on had been paused. */
export function describeResumed (
  before: Pausable,
  changed: Pausable,
  capabilities: readonly (string | null)[] = [null]
): string[] {
  const wasPaused = before.pauses.some(({ capability }) => capabilities.includes(capability))
  if (wasPaused && changed.pauses.length === 0 && changed.status === 'active') {
    return [`${escapeUnprintable(changed.name)} is resumed: its jobs go on`]
  }
  if (wasPaused) return describePauses(changed)
  const what = capabilities.map(name => name ?? 'the connection as a whole').join(', ')
  return [
    escapeUnprintable(`${changed.name}: nothing was resumed, because ${what} ${
      capabilities.length > 1 ? 'were' : 'was'
    } not paused`),
    ...changed.pauses.length === 0 ? [] : describePauses(changed)
  ]
}

/** A line for each pause of a connection, or one that says that there is none. */
function describePauses ({ name, pauses, status }: Pausable): string[] {
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

export function collect (value: string, before: string[] = []): string[] {
  return [...before, value]
}
