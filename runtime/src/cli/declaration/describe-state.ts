import type { HubState } from './hub-state.ts'
import type { Declaration, DeclaredConnection, DeclaredOffer } from './schema.ts'

/** Returns the declaration of all that a hub has. The same state gives the same declaration. */
export function describeState (state: HubState): Declaration {
  const nameOf = new Map(state.connections.map(({ id, name }) => [id, name]))
  return {
    version: 1,
    connections: state.connections.map(connection => describeConnection(state, connection, nameOf)),
    offers: describeOffers(state, nameOf)
  }
}

function describeConnection (
  { schedules, rules }: HubState,
  { id, name, platformType, adapterKey, account, capabilities, config, settings }: HubState['connections'][number],
  nameOf: ReadonlyMap<string, string>
): DeclaredConnection {
  const own = schedules.filter(({ connectionId }) => connectionId === id)
  const ownRules = rules.get(id) ?? []
  return {
    name,
    platformType,
    adapterKey,
    ...account?.takesOrders === false ? { allowSameAccount: true } : {},
    capabilities: capabilities.toSorted(),
    config,
    ...Object.keys(settings).length === 0 ? {} : { settings },
    ...own.length === 0
      ? {}
      : { schedules: Object.fromEntries(own.map(({ name, every, enabled }) => [name, { every, enabled }])) },
    ...ownRules.length === 0 ? {} : {
      routingRules: ownRules.map(({ sourceDeliveryMethodId, processorKind, processorConnectionId }) => ({
        sourceDeliveryMethodId,
        processorKind,
        ...processorConnectionId === undefined
          ? {}
          : { carrier: nameOf.get(processorConnectionId) ?? processorConnectionId }
      }))
    }
  }
}

function describeOffers ({ offers, products }: HubState, nameOf: ReadonlyMap<string, string>): DeclaredOffer[] {
  const variants = new Map(products.flatMap(product =>
    product.variants.map(({ id, externalId }) =>
      [id, {
        connection: nameOf.get(product.connectionId) ?? product.connectionId,
        productExternalId: product.externalId,
        externalId
      }] as const
    )
  ))
  return offers.flatMap(({ connectionId, externalId, variantId, buffer, maxListed }) => {
    const variant = variants.get(variantId)
    return variant === undefined
      ? []
      : [{ connection: nameOf.get(connectionId) ?? connectionId, externalId, variant, buffer, maxListed }]
  })
}
