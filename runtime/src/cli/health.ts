import type { Command } from 'commander'
import type { ConnectionHealth } from '../connections/health/schemas.ts'
import { print } from '../terminal/print.ts'
import { sparkline } from '../terminal/sparkline.ts'
import { formatTable } from '../terminal/table.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

interface HealthOptions extends HubOptions {
  platform?: string
  status?: string
  json?: boolean
}

/** `linker connections health`. */
export function addHealth (connections: Command, withHub: (command: Command) => Command): void {
  withHub(connections.command('health')
    .description('list the connections with their last success and failure, waiting and dead jobs, and the last 24 ' +
      'hours')
    .option('--platform <type>', 'only connections of this platform')
    .option('--status <status>', 'only connections with this status')
    .option('--json', 'print JSON'))
    .action(async ({ platform: platformType, status, json, ...options }: HealthOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const found = await hub.list('/connections/health', { platformType, status }) as ConnectionHealth[]
      print(json === true ? JSON.stringify(found, null, 2) : formatHealth(found))
    })
}

/** The status, and what keeps an active connection from working. */
export function describeState ({ status, pauses = [], breaker = null }:
  & Pick<ConnectionHealth, 'status'>
  & Partial<Pick<ConnectionHealth, 'pauses' | 'breaker'>>): string
{
  const isPaused = pauses.some(({ capability }) => capability === null)
  return [
    status,
    ...isPaused ? ['paused'] : pauses.map(({ capability }) => `${capability} paused`),
    ...breaker === null ? [] : ['breaker open']
  ].join(', ')
}

function formatHealth (found: readonly ConnectionHealth[]): string {
  return formatTable(
    ['name', 'status', 'last success', 'last failure', 'code', 'waiting', 'dead', '24 hours of successes'],
    found.map(connection => [
      connection.name,
      describeState(connection),
      connection.lastSuccessAt ?? '',
      connection.lastFailureAt ?? '',
      connection.lastFailureCode ?? '',
      String(connection.waiting),
      String(connection.dead),
      sparkline(connection.succeededPerHour)
    ])
  )
}
