import type { ForeignPackage } from './project.ts'

/** A shop that is master of article `a0` and takes orders. It logs the tracking that it gets. */
export const shopPackage: ForeignPackage = {
  manifest: {
    name: '@acme/adapter-stall-v1',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'stall.api.v1',
      platformType: 'stall',
      displayName: 'Stall',
      capabilities: ['InventoryMaster', 'OrderProcessorManager', 'ProductMaster']
    }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    const level = { productExternalId: 'a0', variantExternalId: 'v', quantity: 100 }
    const product = { externalId: 'a0', name: 'Mug', isActive: true, variants: [{ externalId: 'v' }] }
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: context => context.log,
      account: async () => undefined,
      capabilities: {
        InventoryMaster: () => ({ getStock: async () => [level], listStock: async () => ({ items: [level] }) }),
        ProductMaster: () => ({ getProduct: async () => product, listProducts: async () => ({ items: [product] }) }),
        OrderProcessorManager: log => ({
          getOrder: async () => { throw new Error('nobody asks') },
          createOrder: async (order, { reference }) => ({ externalId: reference.slice(0, 8) }),
          findOrder: async () => null,
          cancelOrder: async () => undefined,
          addTracking: async (externalId, tracking) => { log.info({ externalId, tracking }, 'the shop was told') }
        })
      }
    })`
}

/**
 * Config of a connection to the bazaar: lists of order ids by state. The id of an order,
 * `{delivery method}-{anything}`, tells the rest.
 */
export interface MarketplaceConfig {
  cancelled?: string[]
  shipped?: string[]
  withoutAddress?: string[]
}

/** A marketplace where every order is for one piece of offer `o0`. */
export const marketplacePackage: ForeignPackage = {
  manifest: {
    name: '@acme/adapter-bazaar-v1',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'bazaar.api.v1',
      platformType: 'bazaar',
      displayName: 'Bazaar',
      capabilities: ['OfferManager', 'OrderSource']
    }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    const price = { amount: '10.00', currency: 'PLN' }
    const address = {
      firstName: 'Ada',
      lastName: 'Nowak',
      street: 'Prosta 1',
      postcode: '00-001',
      city: 'Warszawa',
      country: 'PL'
    }
    const done = { applied: [], frozen: [] }
    const statusOf = (externalId, { cancelled = [], shipped = [] }) => {
      if (cancelled.includes(externalId)) return 'cancelled'
      return shipped.includes(externalId) ? 'shipped' : 'processing'
    }
    const shippingOf = (externalId, { withoutAddress = [] }) => {
      const shipping = { methodId: externalId.split('-')[0], price }
      return withoutAddress.includes(externalId) ? shipping : { ...shipping, address }
    }
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: context => context.config,
      account: async () => undefined,
      capabilities: {
        OfferManager: () => ({
          createOffer: async () => undefined, updateOffer: async () => done, updateOfferQuantity: async () => done,
          getOffer: async externalId => ({ externalId, status: 'ACTIVE', frozenFields: [], problems: [] }),
          listDeliveryMethods: async () => [{ id: 'courier', name: 'Courier' }, { id: 'locker', name: 'Locker' }]
        }),
        OrderSource: config => ({
          listUnread: async () => [],
          acknowledge: async () => undefined,
          getOrder: async externalId => ({
            externalId,
            status: statusOf(externalId, config),
            revision: statusOf(externalId, config) === 'processing' ? '1' : '2',
            placedAt: '2026-01-31T10:00:00Z',
            buyer: { email: 'ada@example.com' },
            lines: [{ externalId: '1', offerExternalId: 'o0', name: 'Mug', quantity: 1, unitPrice: price }],
            total: { amount: '20.00', currency: 'PLN' },
            payment: { method: 'prepaid', paid: { amount: '20.00', currency: 'PLN' } },
            shipping: shippingOf(externalId, config)
          })
        })
      }
    })`
}
