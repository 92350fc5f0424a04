import type { ForeignPackage } from './project.ts'

/**
 * What the config of a connection to the feed says that the feed has. Articles are numbered from 0.
 */
export interface FeedConfig {
  count?: number
  quantity?: number
  /** Articles that it does not have any more. */
  gone?: number[]
  /** Articles whose quantity it does not know. */
  unknown?: number[]
  /** Lists nothing, whatever it has. */
  isEmpty?: boolean
  pageSize?: number
  delayMs?: number
}

/**
 * A shop whose stock stands in the config of its connection, so that a test changes it by a PATCH.
 */
export function feedShop (options: { windowMs?: number, readsMany?: boolean } = {}): ForeignPackage {
  return {
    manifest: {
      name: '@acme/adapter-feedshop-v1',
      version: '1.0.0',
      engines: { linker: '^0.1.0' },
      linker: {
        adapterKey: 'feedshop.api.v1',
        platformType: 'feedshop',
        displayName: 'Feedshop',
        capabilities: ['InventoryMaster', 'ProductMaster']
      }
    },
    source: `
      import { defineAdapter, NotFoundError, TransientError } from '@linker/sdk'
      import { setTimeout as sleep } from 'node:timers/promises'

      const readingOf = config => {
        const { count = 0, quantity = 1, gone = [], unknown = [], isEmpty = false, pageSize = 10, delayMs = 0 } = config
        const has = id => id >= 0 && id < count && !gone.includes(id)
        const level = id => ({ productExternalId: 'a' + id, variantExternalId: 'v', quantity: quantity + id })
        const idOf = externalId => {
          const id = Number(externalId.slice(1))
          if (!has(id)) throw new NotFoundError('the feed has no article ' + externalId)
          return id
        }
        const pageOf = (cursor, limit, item) => {
          const from = Number(cursor ?? 0)
          const to = Math.min(from + Math.min(pageSize, limit), count)
          const ids = Array.from({ length: to - from }, (_, index) => from + index).filter(has)
          return { items: ids.flatMap(item), ...(to < count ? { nextCursor: String(to) } : {}) }
        }
        const product = id => ({ externalId: 'a' + id, name: 'Article ' + id, isActive: true, variants: [{ externalId: 'v' }] })
        return { level, idOf, pageOf, product, unknown, isEmpty, delayMs }
      }

      export default defineAdapter({
        config: { type: 'object' },
        credentials: { type: 'null' },
        connect: ({ config, log }) => ({ ...readingOf(config), log }),
        webhooks: { scheme: 'hmac'${
      options.windowMs === undefined ? '' : `, windowMs: ${options.windowMs}`
    }, events: { 'stock.changed': 'master.inventory.syncByExternalId' } },
        capabilities: {
          InventoryMaster: feed => ({
            async getStock (externalId) {
              await sleep(feed.delayMs)
              const id = feed.idOf(externalId)
              feed.log.info({ externalId }, 'one read')
              if (feed.unknown.includes(id)) throw new TransientError('the feed does not know how many there are of ' + externalId)
              return [feed.level(id)]
            },
            ${
      options.readsMany === true
        ? `async getStockMany (externalIds) {
              await sleep(feed.delayMs)
              feed.log.info({ externalIds }, 'many read')
              return externalIds.map(id => Number(id.slice(1))).filter(id => !feed.unknown.includes(id)).map(feed.level)
            },`
        : ''
    }
            async listStock ({ cursor, limit }) {
              await sleep(feed.delayMs)
              if (feed.isEmpty) return { items: [] }
              return feed.pageOf(cursor, limit, id => feed.unknown.includes(id) ? [] : [feed.level(id)])
            }
          }),
          ProductMaster: feed => ({
            getProduct: async externalId => feed.product(feed.idOf(externalId)),
            listProducts: async ({ cursor, limit }) => feed.pageOf(cursor, limit, id => [feed.product(id)])
          })
        }
      })`
  }
}
