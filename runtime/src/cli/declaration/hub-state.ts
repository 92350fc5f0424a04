import type { ConnectionView } from '../../connections/schemas.ts'
import type { RoutingRule, RoutingRules } from '../../fulfilment/schemas.ts'
import type { OfferView } from '../../offers/schemas.ts'
import type { ScheduleView } from '../../schedules/schemas.ts'
import { HubError, type HubClient } from '../hub-client.ts'

/** A product of a shop with the members that name its variants. */
export interface Product {
  connectionId: string
  externalId: string
  variants: readonly { id: string, externalId: string, sku: string | null, ean: string | null }[]
}

/** Everything in a hub that a declaration can name. */
export interface HubState {
  connections: readonly ConnectionView[]
  schedules: readonly ScheduleView[]
  /** The routing rules by the connection of the marketplace. */
  rules: ReadonlyMap<string, readonly RoutingRule[]>
  offers: readonly OfferView[]
  products: readonly Product[]
}

/** Reads the state of a hub. Throws when two of its connections have one name. */
export async function readHubState (hub: HubClient, withOffers: boolean): Promise<HubState> {
  const connections = await hub.list('/connections') as ConnectionView[]
  refuseSharedNames(connections)
  const rules = new Map<string, readonly RoutingRule[]>()
  for (const { id, capabilities } of connections) {
    if (!capabilities.some(name => name === 'OrderSource' || name === 'Marketplace')) continue
    const { items } = await hub.call('GET', `/connections/${id}/routing-rules`) as RoutingRules
    rules.set(id, items)
  }
  return {
    connections,
    schedules: await hub.list('/schedules') as ScheduleView[],
    rules,
    offers: withOffers ? await hub.list('/offers') as OfferView[] : [],
    products: withOffers ? await hub.list('/products') as Product[] : []
  }
}

function refuseSharedNames (connections: readonly ConnectionView[]): void {
  for (const [name, [first, ...others]] of Map.groupBy(connections, connection => connection.name)) {
    if (first === undefined || others.length === 0) continue
    const ids = [first, ...others].map(({ id }) => id).join(', ')
    throw new HubError(`${others.length + 1} connections are called '${name}': ${ids}; a declaration names ` +
      'connections by their names, so rename all but one: linker connections edit <id> --name <name>')
  }
}
