import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { DeletedConnection } from '../connections/deletion/schemas.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { argumentOf } from '../words.ts'
import { connectionArgument, findConnection, findDeletedConnection } from './connection-name.ts'
import { createHubClient, type HubClient, type HubOptions } from './hub-client.ts'

/** `linker connections take-over`. */
export function addTakeOver (connections: Command, withHub: (command: Command) => Command): void {
  withHub(connections.command('take-over')
    .description('give a connection the orders, links and cursors of a deleted connection to the same account')
    .argument(...connectionArgument)
    .argument('<deleted>', 'name or id of the deleted connection')
    .option('--json', 'print JSON'))
    .action(async (connection: string, deleted: string, options: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findConnection(hub, connection)
      const connectionId = await findDeletedConnection(hub, deleted)
      const result = await hub.call('POST', `/connections/${id}/take-over`, { connectionId }) as {
        taken: { what: string, count: number }[]
      }
      print(options.json === true
        ? JSON.stringify(result, null, 2)
        : formatTable(['what', 'taken over'], result.taken.map(({ what, count }) => [what, String(count)])))
    })
}

/**
 * Tells how to take over the deleted connections to the same account, the one that was made last
 * first.
 */
export async function describeTakeOver (
  hub: HubClient,
  connection: Pick<ConnectionView, 'id' | 'name'>
): Promise<string[]> {
  const found = await hub.list('/connections/deleted', { takeOverBy: connection.id }) as DeletedConnection[]
  return found.toReversed().map(({ id, name, deletedAt }) =>
    `the deleted connection '${escapeUnprintable(name)}' (deleted at ${deletedAt}) opened the same account; ` +
    `\`linker connections take-over ${argumentOf(connection)} ${id}\` takes over its orders, links and cursors`
  )
}

/** Describes the account of a connection. Null: the hub does not know it. */
export function describeAccount ({ account }: Pick<ConnectionView, 'account'>): string | null {
  return account === null ? null : account.name ?? 'of a person'
}

/** Says why a connection takes no orders, when another one to its account takes them. */
export function describeSharing ({ account }: Pick<ConnectionView, 'account'>): string[] {
  return account?.takesOrders === false ? ['another connection to its account takes the orders'] : []
}
