import { feedshopManifest } from './feedshop.ts'
import type { ForeignPackage } from './project.ts'

/** Config of a connection to the feed: the articles that it has, numbered from 0. */
export interface ConfigShopStock {
  count?: number
  quantity?: number
  /** Articles that the feed no longer has. */
  gone?: number[]
  /** Articles whose quantity the feed does not know. */
  unknown?: number[]
  /** Whether the feed lists no stock, whatever it has. */
  isEmpty?: boolean
  pageSize?: number
  delayMs?: number
}

const getStockMany = `async getStockMany (externalIds) {
              await sleep(feed.delayMs)
              feed.log.info({ externalIds }, 'many read')
              const ids = externalIds.map(id => Number(id.slice(1)))
              return ids.filter(id => !feed.unknown.includes(id)).map(feed.level)
            },`

/** A shop that keeps its stock in the config of its connection: a test changes it by a PATCH. */
export function configShop (options: { windowMs?: number, readsMany?: boolean } = {}): ForeignPackage {
  const { windowMs, readsMany = false } = options
  const window = windowMs === undefined ? '' : `windowMs: ${windowMs},`
  return {
    manifest: feedshopManifest({ capabilities: ['InventoryMaster', 'ProductMaster'] }),
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
        const variants = [{ externalId: 'v' }]
        const product = id => ({ externalId: 'a' + id, name: 'Article ' + id, isActive: true, variants })
        return { level, idOf, pageOf, product, unknown, isEmpty, delayMs }
      }

      export default defineAdapter({
        config: { type: 'object' },
        credentials: { type: 'null' },
        connect: ({ config, log }) => ({ ...readingOf(config), log }),
        webhooks: {
          scheme: 'hmac',
          ${window}
          events: { 'stock.changed': 'master.inventory.syncByExternalId' }
        },
        account: async () => undefined,
        capabilities: {
          InventoryMaster: feed => ({
            async getStock (externalId) {
              await sleep(feed.delayMs)
              const id = feed.idOf(externalId)
              feed.log.info({ externalId }, 'one read')
              if (feed.unknown.includes(id)) {
                throw new TransientError('the feed does not know the quantity of ' + externalId)
              }
              return [feed.level(id)]
            },
            ${readsMany ? getStockMany : ''}
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
