import type { Query } from '../database/database.ts'
import { decodeCursor, type Position } from '../http/paging.ts'
import { offerWarnings, publishedQuantity } from './rules.ts'
import type { StockQuery, StockView } from './schemas.ts'
import { findStock, type StockRow } from './store.ts'

/**
 * Returns the stock of variants and the last writes to their offers, each with its position. The
 * variants come in the order in which they became known.
 */
export async function listStock (
  query: Query,
  { cursor, ...filter }: StockQuery
): Promise<{ position: Position, view: StockView }[]> {
  const rows = await findStock(query, { ...filter, after: cursor === undefined ? undefined : decodeCursor(cursor) })
  return rows.map(row => ({ position: { id: row.id, createdAt: row.createdAt }, view: describeStock(row) }))
}

function describeStock (row: StockRow): StockView {
  const { id, name, sku, ean, quantity, reserved, isCounted, isSellable, confirmedQuantity, sharedStockId } = row
  const { version, jumpedAt, missingSince, updatedAt, offers } = row
  const stock = { quantity, reserved, isCounted, isSellable, confirmedQuantity }
  return {
    variantId: id,
    name,
    sku,
    ean,
    quantity,
    reserved,
    isCounted,
    isSellable,
    confirmedQuantity,
    jumpedAt,
    sharedStockId,
    version,
    missingSince,
    updatedAt,
    offers: offers.map(offer => {
      const wantedQuantity = publishedQuantity(stock, offer)
      return {
        offerId: offer.offerId,
        connectionId: offer.connectionId,
        wantedQuantity,
        sentQuantity: offer.quantity,
        upstreamQuantity: offer.upstreamQuantity,
        drift: offer.quantity === null ? null : wantedQuantity - offer.quantity,
        warnings: offerWarnings(offer, stock)
      }
    })
  }
}
