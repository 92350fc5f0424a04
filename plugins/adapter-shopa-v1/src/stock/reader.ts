import type { StockLevel } from '@linker/sdk'
import { anyOf, type ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { readAll } from '../webservice/paging.ts'
import { reference } from '../webservice/row.ts'
import { readStockLevels, type StockReading } from './levels.ts'
import { createPackIndex } from './pack-index.ts'
import { createPackStock } from './pack-stock.ts'

const mostPacks = 100

export interface StockReader {
  /**
   * Reads the stock of at most 100 products. Of a pack, the levels are what the shop sells of it.
   * Leaves out drafts. `packs`: which of them are packs; absent, the reader asks the shop.
   */
  read(productIds: readonly string[], packs?: ReadonlySet<string>): Promise<Map<string, StockReading>>
  /**
   * Reads the stock of at most 100 packs that contain a product, as far as earlier readings have
   * shown it. Each call takes others when there are more. Forgets those that do not contain it any
   * more, so use a new reader.
   */
  readPacksOf(productId: string): Promise<Map<string, StockReading>>
  /** Returns the known levels of readings and logs a warning about the others. */
  knownLevels(readings: Iterable<StockReading>): StockLevel[]
}

export function createStockReader (client: ShopClient, context: ShopContext): StockReader {
  const { config, log } = context
  const index = createPackIndex(context)
  const readPacks = createPackStock(client, context, { readOwn, index })

  /**
   * Reads the stock rows of each product. Asks the shop for combinations instead of guessing from
   * the stock rows: some may be missing.
   */
  async function readOwn (productIds: readonly string[]): Promise<Map<string, StockReading>> {
    if (productIds.length === 0) return new Map()
    const ofProducts = { 'filter[id_product]': anyOf(productIds) }
    const [rows, combinations] = await Promise.all([
      readAll(client, 'stock_availables', { ...ofProducts, display: 'full' }),
      readAll(client, 'combinations', { ...ofProducts, display: '[id,id_product]' })
    ])
    const rowsOf = Map.groupBy(rows, row => reference(row.id_product))
    const combinationsOf = Map.groupBy(combinations, row => reference(row.id_product))
    return new Map(productIds.map(id => {
      const combinationIds = (combinationsOf.get(id) ?? []).map(row => reference(row.id))
      return [id, readStockLevels(id, rowsOf.get(id) ?? [], combinationIds, config.shopId)]
    }))
  }

  async function read (
    productIds: readonly string[],
    packs?: ReadonlySet<string>
  ): Promise<Map<string, StockReading>> {
    const [own, kinds] = await Promise.all([
      readOwn(productIds),
      packs === undefined ? client.kinds.readAmong(productIds) : { packs, drafts: new Set<string>() }
    ])
    for (const draft of kinds.drafts) own.delete(draft)
    const ofPacks = await readPacks([...kinds.packs].filter(id => own.has(id)), own)
    return new Map([...own, ...ofPacks])
  }

  return {
    read,

    async readPacksOf (productId) {
      const known = await index.takePacksOf(productId, mostPacks)
      if (known.length === 0) return new Map()
      // Some may be gone, or no packs any more.
      const { packs } = await client.kinds.readAmong(known)
      const readings = packs.size === 0 ? new Map<string, StockReading>() : await read([...packs], packs)
      await index.keepAdded(productId, known)
      return readings
    },

    knownLevels (readings) {
      const all = [...readings]
      const unknown = all.flatMap(reading => reading.unknown)
      if (unknown.length > 0) log.warn({ unknown }, 'quantities unknown, left out')
      return all.flatMap(reading => reading.levels)
    }
  }
}
