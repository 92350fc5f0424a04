import type { AuditView } from '../audit/schemas.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import type { HubClient } from './hub-client.ts'

const mostEntries = 200

/**
 * By whom and when connections were disabled, by their ids. Leaves out those whose newest entries
 * in the audit do not show it.
 */
export async function readDisablings (
  hub: HubClient,
  connections: readonly Pick<ConnectionView, 'id' | 'status'>[]
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const { id, status } of connections) {
    const disabling = status === 'disabled' ? await findDisabling(hub, id) : undefined
    if (disabling !== undefined) found.set(id, `by ${disabling.actor.name} at ${disabling.createdAt}`)
  }
  return found
}

/** The action does not tell: a patch that also moves the connection has the name of the move. */
async function findDisabling (hub: HubClient, connectionId: string): Promise<AuditView | undefined> {
  const entries = await hub.list('/audit', { connectionId }, mostEntries) as AuditView[]
  return entries.find(({ changes }) => changes.some(({ pointer, to }) => pointer === '/status' && to === 'disabled'))
}
