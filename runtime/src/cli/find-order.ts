import type { OrderSummary } from '../orders/schemas.ts'
import { isUuid } from '../text-patterns.ts'
import { completeId } from './find-id.ts'
import { HubError, type HubClient } from './hub-client.ts'

/**
 * Returns the id of the order with this id, with this id at its marketplace, or with an id that
 * begins so. Throws when no order has it, or several have it. Returns a whole id unchanged, without
 * a question to the hub.
 */
export async function findOrder (hub: HubClient, name: string): Promise<string> {
  if (isUuid(name)) return name
  const [found, ...others] = await hub.list('/orders', { externalId: name }) as OrderSummary[]
  if (found === undefined) {
    const id = await completeId(hub, ['order'], name)
    if (id !== name) return id
    throw new HubError(`no marketplace has an order '${name}'`)
  }
  if (others.length === 0) return found.id
  const ids = [found, ...others].map(({ id }) => id).join(', ')
  throw new HubError(`${others.length + 1} marketplaces have an order '${name}': ${ids}; give the id of one`)
}
