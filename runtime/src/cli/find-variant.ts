import type { StockView } from '../stock/schemas.ts'
import { formatTable } from '../terminal/table.ts'
import { isUuid } from '../text-patterns.ts'
import { HubError, type HubClient } from './hub-client.ts'

/** Finds a variant by its id, or by its whole SKU or EAN. */
export async function findVariant (hub: HubClient, text: string): Promise<StockView> {
  const found = await hub.list('/stock', { q: text }, 200) as StockView[]
  const wanted = text.toLowerCase()
  const fitting = found.filter(({ variantId, sku, ean }) =>
    variantId === wanted || sku?.toLowerCase() === wanted || ean === text
  )
  const [only, ...others] = fitting.length > 0 ? fitting : await findById(hub, wanted)
  if (only === undefined) throw new HubError(`no variant has the SKU, EAN or id '${text}'`)
  if (others.length === 0) return only
  throw new HubError(`${fitting.length} variants have the SKU or EAN '${text}'; give the id of one:\n${
    formatTable(
      ['variant', 'name', 'sku'],
      fitting.map(({ variantId, name, sku }) => [variantId, name ?? '', sku ?? ''])
    )
  }`)
}

async function findById (hub: HubClient, variantId: string): Promise<StockView[]> {
  return isUuid(variantId) ? await hub.list('/stock', { variantId }, 1) as StockView[] : []
}
