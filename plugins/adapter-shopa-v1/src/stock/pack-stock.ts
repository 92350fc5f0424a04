import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { simpleVariantId } from '../products/ids.ts'
import { readByIds } from '../webservice/paging.ts'
import { integer, isRow, reference, rowsIn, type Row } from '../webservice/row.ts'
import { createGeneralPackStock, type PackStock } from './general-pack-stock.ts'
import type { StockReading } from './levels.ts'
import type { PackIndex } from './pack-index.ts'

const mostAtOnce = 100

interface Part {
  productId: string
  /** `0` for a product without combinations. */
  attributeId: string
  pieces: number | undefined
}

interface Sources {
  readOwn(productIds: readonly string[]): Promise<Map<string, StockReading>>
  index: PackIndex
}

/**
 * Returns the function that computes how many of some packs the shop sells. `own`: the readings of
 * their own rows and of other products, which save requests.
 */
export function createPackStock (client: ShopClient, context: ShopContext, { readOwn, index }: Sources) {
  const readGeneral = createGeneralPackStock(client, context)

  async function readParts (
    packs: readonly Row[],
    own: ReadonlyMap<string, StockReading>
  ): Promise<ReadonlyMap<string, StockReading>> {
    const ids = [...new Set(packs.flatMap(row => partsOf(row).map(({ productId }) => productId)))]
    const missing = ids.filter(id => !own.has(id))
    const found = new Map(own)
    for (let from = 0; from < missing.length; from += mostAtOnce) {
      for (const [id, reading] of await readOwn(missing.slice(from, from + mostAtOnce))) found.set(id, reading)
    }
    return found
  }

  return async (
    packIds: readonly string[],
    own: ReadonlyMap<string, StockReading>
  ): Promise<Map<string, StockReading>> => {
    if (packIds.length === 0) return new Map()
    const rows = await readByIds(client, 'products', packIds, { display: 'full' })
    const dependsOnGeneral = rows.some(row => [0, 3].includes(integer(row.pack_stock_type) ?? -1))
    const [general, stocks] = await Promise.all([
      dependsOnGeneral ? readGeneral() : undefined,
      readParts(rows, own),
      ...rows.map(row => index.add(reference(row.id), partsOf(row).map(({ productId }) => productId)))
    ])
    const rowOf = new Map(rows.map(row => [reference(row.id), row]))
    return new Map(packIds.map(id => [id, packReading(id, rowOf.get(id), stocks, general)]))
  }
}

function packReading (
  id: string,
  row: Row | undefined,
  stocks: ReadonlyMap<string, StockReading>,
  general: PackStock | undefined
): StockReading {
  const sold = row === undefined ? 'the shop does not show the pack' : quantityOf(id, row, stocks, general)
  const variant = { productExternalId: id, variantExternalId: simpleVariantId(id) }
  return typeof sold === 'number'
    ? { hasRows: true, levels: [{ ...variant, quantity: sold }], unknown: [] }
    : { hasRows: true, levels: [], unknown: [{ ...variant, reason: sold }] }
}

/** Returns the pieces that the shop sells of a pack, or why nobody knows. */
function quantityOf (
  id: string,
  row: Row,
  stocks: ReadonlyMap<string, StockReading>,
  general: PackStock | undefined
): number | string {
  const variants = [...stocks.get(id)?.levels ?? [], ...stocks.get(id)?.unknown ?? []]
  if (variants.some(({ variantExternalId }) => variantExternalId !== simpleVariantId(id))) {
    return 'it is a pack with combinations'
  }
  const counts = whatCounts(integer(row.pack_stock_type), general)
  if (counts === undefined) {
    return "the shop's general setting for packs is unknown: let the key read `configurations`, or set config.packStock"
  }
  const own = stockOf(stocks, id, '0') ?? 'the stock of the pack itself is unknown'
  if (counts === 'own') return own
  const parts = fewestOf(partsOf(row), stocks)
  if (counts === 'parts' || typeof parts === 'string') return parts
  return typeof own === 'string' ? own : Math.min(own, parts)
}

/**
 * Some lines of the shop read type 0 as the pack's own row, others as the general setting. Where
 * the two differ, the lesser quantity is never too much. Shops without the member know own rows
 * alone.
 */
function whatCounts (type: number | undefined, general: PackStock | undefined): PackStock | undefined {
  switch (type) {
    case undefined:
      return 'own'
    case 0:
      return general === 'own' ? 'own' : 'lesser'
    case 1:
      return 'parts'
    case 2:
      return 'lesser'
    case 3:
      return general
    default:
      return undefined
  }
}

/** Returns how many packs the scarcest part makes. */
function fewestOf (parts: readonly Part[], stocks: ReadonlyMap<string, StockReading>): number | string {
  if (parts.length === 0) return 'the shop does not tell the parts of the pack'
  let fewest = Number.POSITIVE_INFINITY
  for (const { productId, attributeId, pieces } of parts) {
    const name = attributeId === '0' ? `part ${productId}` : `part ${productId}, combination ${attributeId},`
    if (pieces === undefined || pieces < 1) return `the shop does not tell how many pieces of ${name} the pack has`
    const stock = stockOf(stocks, productId, attributeId)
    if (stock === undefined) return `the stock of ${name} is unknown`
    fewest = Math.min(fewest, Math.floor(Math.max(0, stock) / pieces))
  }
  return fewest
}

function stockOf (
  stocks: ReadonlyMap<string, StockReading>,
  productId: string,
  attributeId: string
): number | undefined {
  const variantId = attributeId === '0' ? simpleVariantId(productId) : attributeId
  return stocks.get(productId)?.levels.find(level => level.variantExternalId === variantId)?.quantity
}

function partsOf (row: Row): Part[] {
  const associations = isRow(row.associations) ? row.associations : {}
  return rowsIn(associations.product_bundle).map(part => ({
    productId: reference(part.id),
    attributeId: reference(part.id_product_attribute),
    pieces: integer(part.quantity)
  }))
}
