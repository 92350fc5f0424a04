import type { AuditView } from '../audit/schemas.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import type { HubClient } from './hub-client.ts'

const mostEntries = 200

/**
 * By whom and when connections were disabled, by their ids. Leaves out those that the newest
 * entries of the audit do not have, such as a connection that was created disabled.
 */
export async function readDisablings (
  hub: HubClient,
  connections: readonly Pick<ConnectionView, 'id' | 'status'>[]
): Promise<ReadonlyMap<string, string>> {
  const disabled = connections.filter(({ status }) => status === 'disabled')
  if (disabled.length === 0) return new Map()
  const [only, ...others] = disabled
  const connectionId = others.length === 0 ? only?.id : undefined
  const entries = await hub.list('/audit', { connectionId, action: 'connection.disable' }, mostEntries) as AuditView[]
  const ids = new Set(disabled.map(({ id }) => id))
  // The newest entry comes first, and in a map the last one of an id counts.
  return new Map(entries.toReversed().flatMap(({ connectionId: id, actor, createdAt }) =>
    id !== null && ids.has(id) ? [[id, `by ${actor.name} at ${createdAt}`]] : []
  ))
}
