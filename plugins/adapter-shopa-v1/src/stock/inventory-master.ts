import { NotFoundError, TransientError, type InventoryMaster } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { isShopId, productId } from '../products/ids.ts'
import { isPack, kindFields } from '../products/kinds.ts'
import { isSold } from '../products/read.ts'
import { readPage } from '../webservice/paging.ts'
import { reference, type Row } from '../webservice/row.ts'
import { explainMissingRows, type StockReading } from './levels.ts'
import { createStockReader } from './reader.ts'
import { createSetStock } from './set.ts'

const pageFields = `[${[...kindFields, 'active', 'available_for_order'].join(',')}]`

export function createInventoryMaster (client: ShopClient, context: ShopContext): InventoryMaster {
  const { log } = context
  const reader = createStockReader(client, context)

  return {
    async getStock (externalId) {
      const id = productId(externalId)
      const reading = (await reader.read([id])).get(id)
      if (reading === undefined) throw new NotFoundError(`product ${id} is a draft in the shop`)
      if (reading.levels.length > 0) return reader.knownLevels([reading])
      if (!reading.hasRows) return explainMissingRows(client, id)
      const reasons = reading.unknown.map(({ reason }) => reason).join(', ')
      throw new TransientError(`the stock of product ${id} is unknown: ${reasons}`)
    },

    async listStock ({ cursor, limit }) {
      const page = await readPage(client, 'products', { cursor, limit }, { display: pageFields }, log)
      const rows = new Map(client.kinds.leaveOutDrafts(page.rows).map(row => [reference(row.id), row]))
      const packs = new Set([...rows].flatMap(([id, row]) => isPack(row) ? [id] : []))
      const readings = await reader.read([...rows.keys()], packs)
      const items = reader.knownLevels([...readings].map(([id, reading]) => withSellable(reading, rows.get(id))))
      return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor }
    },

    async getStockMany (externalIds) {
      // Leave out an id that is not one of this shop, as if it were gone: the other ids must still
      // get their answer.
      const ids = [...new Set(externalIds)].filter(isShopId)
      return ids.length === 0 ? [] : reader.knownLevels((await reader.read(ids)).values())
    },

    setStock: createSetStock(client, context)
  }
}

/** Tells with the stock whether the shop sells the product: the event of a switch may be lost. */
function withSellable (reading: StockReading, row: Row | undefined): StockReading {
  if (row === undefined) return reading
  const sellable = isSold(row)
  return { ...reading, levels: reading.levels.map(level => ({ ...level, sellable })) }
}
