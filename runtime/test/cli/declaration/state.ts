import type { HubState } from '../../../src/cli/declaration/hub-state.ts'

type Connection = HubState['connections'][number]
type Offer = HubState['offers'][number]

export function connectionOf (more: Partial<Connection> & Pick<Connection, 'id' | 'name'>): Connection {
  return {
    platformType: 'probe',
    status: 'active',
    statusReason: null,
    config: {},
    settings: {},
    credentialsRef: 'db:x',
    adapterKey: 'probe.api.v1',
    adapterVersion: '1.0.0',
    capabilities: [],
    account: null,
    ordersSince: null,
    pauses: [],
    webhooksConfigured: false,
    createdAt: '2026-01-31T09:59:33Z',
    updatedAt: '2026-01-31T09:59:33Z',
    ...more
  }
}

export function offerOf (more:
  & Partial<Offer>
  & Pick<Offer, 'id' | 'connectionId' | 'variantId' | 'externalId'>): Offer
{
  return {
    variant: { name: null, sku: null, ean: null },
    status: 'ACTIVE',
    upstreamStatus: null,
    title: null,
    price: null,
    quantity: null,
    upstreamQuantity: null,
    buffer: 0,
    maxListed: null,
    frozenFields: [],
    warnings: [],
    problems: [],
    lastSyncedAt: null,
    createdAt: '2026-01-31T09:59:33Z',
    updatedAt: '2026-01-31T09:59:33Z',
    ...more
  }
}

/** A shop with two variants, a marketplace that sells one of them, and a carrier. */
export const state: HubState = {
  connections: [
    connectionOf({ id: 'shop-id', name: 'Shop', config: { prices: { country: 'PL' } }, capabilities: ['B', 'A'] }),
    connectionOf({ id: 'market-id', name: 'Market', capabilities: ['OrderSource'] }),
    connectionOf({ id: 'carrier-id', name: 'Carrier' })
  ],
  schedules: [
    { connectionId: 'shop-id', name: 'sweep', every: '1h', enabled: true, job: 'x.y', nextAt: null },
    { connectionId: 'market-id', name: 'poll', every: '2m', enabled: false, job: 'x.z', nextAt: null }
  ],
  rules: new Map([['market-id', [
    { sourceDeliveryMethodId: 'locker', processorKind: 'hub_managed_carrier', processorConnectionId: 'carrier-id' },
    { sourceDeliveryMethodId: 'courier', processorKind: 'omp_fulfilled', processorConnectionId: undefined }
  ]]]),
  offers: [offerOf({ id: 'offer-id', connectionId: 'market-id', variantId: 'mug-id', externalId: 'm1', buffer: 2 })],
  products: [{
    connectionId: 'shop-id',
    externalId: '27',
    variants: [
      { id: 'mug-id', externalId: '101', sku: 'MUG', ean: '0042' },
      { id: 'cup-id', externalId: '102', sku: 'cup', ean: '77' }
    ]
  }]
}
