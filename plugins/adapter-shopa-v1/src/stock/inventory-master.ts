import { NotFoundError, TransientError, type InventoryMaster, type StockLevel } from '@linker/sdk'
import { anyOf, type ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { isShopId, productId } from '../products/ids.ts'
import { readAll, readPage } from '../webservice/paging.ts'
import { reference, type Row } from '../webservice/row.ts'
import { explainMissingRows, readStockLevels, type StockReading } from './levels.ts'
import { createSetStock } from './set.ts'

interface ProductStock extends StockReading {
  rows: readonly Row[]
}

export function createInventoryMaster (client: ShopClient, context: ShopContext): InventoryMaster {
  const { config, log } = context

  /**
   * Reads the stock of each product. Asks the shop for combinations instead of guessing from the
   * stock rows: some may be missing.
   */
  async function readStock (productIds: readonly string[]): Promise<Map<string, ProductStock>> {
    if (productIds.length === 0) return new Map()
    const ofProducts = { 'filter[id_product]': anyOf(productIds) }
    const [rows, combinations] = await Promise.all([
      readAll(client, 'stock_availables', { ...ofProducts, display: 'full' }),
      readAll(client, 'combinations', { ...ofProducts, display: '[id,id_product]' })
    ])
    const rowsOf = Map.groupBy(rows, row => reference(row.id_product))
    const combinationsOf = Map.groupBy(combinations, row => reference(row.id_product))

    return new Map(productIds.map(id => {
      const own = rowsOf.get(id) ?? []
      const combinationIds = (combinationsOf.get(id) ?? []).map(row => reference(row.id))
      return [id, { rows: own, ...readStockLevels(id, own, combinationIds, config.shopId) }]
    }))
  }

  function knownLevels (readings: readonly StockReading[]): StockLevel[] {
    const unknown = readings.flatMap(reading => reading.unknown)
    if (unknown.length > 0) log.warn({ unknown }, 'quantities unknown, left out')
    return readings.flatMap(reading => reading.levels)
  }

  return {
    async getStock (externalId) {
      const id = productId(externalId)
      const [readings, drafts] = await Promise.all([readStock([id]), client.drafts.readAmong([id])])
      if (drafts.has(id)) throw new NotFoundError(`product ${id} is a draft in the shop`)
      const reading = readings.get(id)
      if (reading === undefined || reading.rows.length === 0) return explainMissingRows(client, id)

      const { levels, unknown } = reading
      if (levels.length === 0) {
        const reasons = unknown.map(({ reason }) => reason).join(', ')
        throw new TransientError(`the stock of product ${id} is unknown: ${reasons}`)
      }
      if (unknown.length > 0) log.warn({ productExternalId: id, unknown }, 'quantities unknown, left out')
      return levels
    },

    async listStock ({ cursor, limit }) {
      const page = await readPage(client, 'products', { cursor, limit }, { display: '[id,state]' }, log)
      const readings = await readStock(client.drafts.leaveOut(page.rows).map(row => reference(row.id)))
      const items = knownLevels([...readings.values()])
      return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor }
    },

    async getStockMany (externalIds) {
      // Leave out an id that is not one of this shop, as if it were gone: the other ids must still
      // get their answer.
      const ids = [...new Set(externalIds)].filter(isShopId)
      const [readings, drafts] = await Promise.all([readStock(ids), client.drafts.readAmong(ids)])
      return knownLevels([...readings].flatMap(([id, reading]) => drafts.has(id) ? [] : [reading]))
    },

    setStock: createSetStock(client, context)
  }
}
