import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { DeletedConnection, Deletion } from '../connections/deletion/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { createHubClient, type HubClient, type HubOptions } from './hub-client.ts'

export interface ListOptions extends HubOptions {
  platform?: string
  status?: string
  deleted?: boolean
  json?: boolean
}

interface DeleteOptions extends HubOptions {
  dryRun?: boolean
  force?: boolean
  json?: boolean
}

/** `linker connections delete`. */
export function addDeletion (connections: Command, withHub: (command: Command) => Command): void {
  withHub(connections.command('delete')
    .description('delete a disabled or paused connection; its orders, jobs and audit entries stay')
    .argument(...connectionArgument)
    .option(
      '--dry-run',
      'print what would be deleted, without deleting it; exits with 1 when something stands in the way'
    )
    .option('--force', 'delete it although it has open orders')
    .option('--json', 'print JSON'))
    .action(async (connection: string, { dryRun = false, force = false, json, ...options }: DeleteOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const query = new URLSearchParams({ dryRun: String(dryRun), force: String(force) }).toString()
      const id = await findConnection(hub, connection)
      const deletion = await hub.call('DELETE', `/connections/${id}?${query}`) as Deletion
      print(json === true ? JSON.stringify(deletion, null, 2) : describeDeletion(deletion))
      if (deletion.obstacles.length > 0) process.exitCode = 1
    })
}

/** Prints the deleted connections, for people who look for the name behind an id. */
export async function printDeleted (hub: HubClient, { json }: Pick<ListOptions, 'json'>): Promise<void> {
  const found = await hub.list('/connections/deleted') as DeletedConnection[]
  print(json === true ? JSON.stringify(found, null, 2) : formatTable(
    ['id', 'platform', 'name', 'adapter', 'deleted'],
    found.map(({ id, platformType, name, adapterKey, deletedAt }) => [id, platformType, name, adapterKey, deletedAt])
  ))
}

function describeDeletion (deletion: Deletion): string {
  const { name, id, deleted, obstacles, openOrders, cancelledJobs, removed, kept } = deletion
  const rows = [
    ...removed.map(({ what, count }) => [what, String(count), deleted ? 'removed' : 'would be removed']),
    ['waiting jobs', String(cancelledJobs), deleted ? 'cancelled' : 'would be cancelled'],
    ...kept.map(({ what, count }) => [what, String(count), deleted ? 'stayed' : 'would stay'])
  ].filter(([, count]) => count !== '0')
  return [
    `${deleted ? 'deleted' : 'would delete'} ${name} (${id})`,
    ...rows.length === 0 ? [] : [formatTable(['what', 'number', 'fate'], rows)],
    ...openOrders === 0 ? [] : [`open orders that still need it: ${openOrders}`],
    ...obstacles.map(({ message }) => `in the way: ${message}`)
  ].map(escapeLines).join('\n')
}

function escapeLines (text: string): string {
  return text.split('\n').map(escapeUnprintable).join('\n')
}
