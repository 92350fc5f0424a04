import { TransientError, type InventoryMaster, type StockLevel } from '@linker/sdk'
import { anyOf, type ShopClient } from './client.ts'
import type { ShopContext } from './config.ts'
import { readAll, readPage } from './paging.ts'
import { isDraft } from './product.ts'
import { isShopId, productId } from './product-ids.ts'
import { reference, type Row } from './records.ts'
import { createSetStock } from './set-stock.ts'
import { explainMissingRows, readStockLevels, type StockReading } from './stock-levels.ts'

export function createInventoryMaster (client: ShopClient, context: ShopContext): InventoryMaster {
  const { config, log } = context

  /** What the shop says about each of the products. Whether one has combinations is asked, not guessed from its stock rows: some may be missing. */
  async function readStock (productIds: readonly string[]): Promise<Map<string, StockReading & { rows: readonly Row[] }>> {
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

  async function readKnownStock (productIds: readonly string[]): Promise<StockLevel[]> {
    const readings = [...(await readStock(productIds)).values()]
    const unknown = readings.flatMap(reading => reading.unknown)
    if (unknown.length > 0) log.warn({ unknown }, 'quantities unknown, left out')
    return readings.flatMap(reading => reading.levels)
  }

  return {
    async getStock (externalId) {
      const id = productId(externalId)
      const reading = (await readStock([id])).get(id)
      if (reading === undefined || reading.rows.length === 0) return explainMissingRows(client, id)

      const { levels, unknown } = reading
      if (levels.length === 0) throw new TransientError(`the stock of product ${id} is unknown: ${unknown.map(({ reason }) => reason).join(', ')}`)
      if (unknown.length > 0) log.warn({ productExternalId: id, unknown }, 'quantities unknown, left out')
      return levels
    },

    async listStock ({ cursor, limit }) {
      const page = await readPage(client, 'products', { cursor, limit }, { display: '[id,state]' }, log)
      const items = await readKnownStock(page.rows.filter(row => !isDraft(row)).map(row => reference(row.id)))
      return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor }
    },

    // An id that is none of this shop is absent like one that is gone: it must not cost the others their answer.
    getStockMany: externalIds => readKnownStock([...new Set(externalIds)].filter(isShopId)),

    setStock: createSetStock(client, context)
  }
}
