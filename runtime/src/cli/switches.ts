import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import { argumentOf } from '../words.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'
import { describePause } from './pauses.ts'

const descriptions = {
  disable: 'refuse the webhooks of a connection and let its jobs wait, until somebody enables it',
  enable: 'accept the webhooks of a disabled connection again; its jobs go on'
} as const

interface SwitchOptions extends HubOptions {
  reason?: string
  json?: boolean
}

/** `linker connections disable` and `linker connections enable`. */
export function addSwitches (connections: Command, withHub: (command: Command) => Command): void {
  for (const name of ['disable', 'enable'] as const) {
    const command = connections.command(name).description(descriptions[name]).argument(...connectionArgument)
    if (name === 'disable') command.option('--reason <text>', 'reason, for colleagues')
    withHub(command.option('--json', 'print the connection as JSON'))
      .action(async (connection: string, { reason, json, ...options }: SwitchOptions) => {
        const hub = await createHubClient(process.env, process.cwd(), options)
        const path = `/connections/${await findConnection(hub, connection)}/${name}`
        const body = reason === undefined ? undefined : { reason }
        const changed = await hub.call('PATCH', path, body) as ConnectionView
        print(json === true ? JSON.stringify(changed, null, 2) : describeStatus(changed))
      })
  }
}

/** Says what the status of a connection means for its webhooks and its jobs. */
export function describeStatus (connection: ConnectionView): string {
  const { name, status, statusReason } = connection
  const subject = argumentOf(connection)
  const why = statusReason === null ? '' : `: ${statusReason}`
  const lines = {
    disabled: [
      `${name} is disabled${why}`,
      '  webhooks  refused with 404 and not kept; it depends on the sender whether they come again',
      '  jobs      running ones go on to their end, the others wait; schedules make no new ones',
      `  next      linker connections enable ${subject}`
    ],
    error: [
      `${name} is in error${why}`,
      '  webhooks  accepted',
      '  jobs      wait until the platform accepts the connection',
      `  next      linker connections diagnose ${subject}`
    ],
    active: [
      `${name} is active`,
      '  webhooks  accepted; those that were refused come again only if their senders repeat them',
      `  jobs      ${describeJobs(connection)}`
    ]
  }[status]
  return lines.map(escapeUnprintable).join('\n')
}

function describeJobs ({ statusReason, pauses }: ConnectionView): string {
  if (statusReason !== null) return `wait: ${statusReason}`
  if (pauses.length === 0) return 'those that waited go on'
  const isWhole = pauses.some(({ capability }) => capability === null)
  const paused = pauses.map(describePause).join('; ')
  return isWhole ? `wait: ${paused}` : `those that waited go on, without what is paused: ${paused}`
}
