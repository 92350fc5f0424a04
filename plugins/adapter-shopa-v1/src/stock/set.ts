import { NotFoundError, RejectedError, TransientError, type InventoryMaster } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { attributeId, productId } from '../products/ids.ts'
import { readAll } from '../webservice/paging.ts'
import { recordXml } from '../webservice/record-xml.ts'
import { integer, reference, text, type Row } from '../webservice/row.ts'
import { explainMissingRows, rowOfShop } from './levels.ts'

const resource = 'stock_availables'
const patchUnknown = 'stock.patchUnknown'
// After this time PATCH is tried once more: the shop may have been upgraded.
const rememberSeconds = 7 * 24 * 3_600

export function createSetStock (
  client: ShopClient,
  { config, kv, log }: ShopContext
): NonNullable<InventoryMaster['setStock']> {
  async function readRow (product: string, attribute: string): Promise<Row> {
    const found = await readAll(client, resource, { 'filter[id_product]': `[${product}]`, display: 'full' })
    const rows = found.filter(row => reference(row.id_product) === product)
    if (rows.length === 0) return explainMissingRows(client, product)
    if (attribute === '0') await refuseSum(product)
    const candidates = rows.filter(row => reference(row.id_product_attribute) === attribute)
    return rowOfShop(product, candidates, config.shopId) ?? explainMissingRow(product, attribute)
  }

  async function refuseSum (product: string): Promise<void> {
    const combinations = await readAll(client, 'combinations', {
      'filter[id_product]': `[${product}]`,
      display: '[id,id_product]'
    })
    if (combinations.some(row => reference(row.id_product) === product)) {
      throw new RejectedError(`product ${product} has combinations: the shop computes its own stock as their sum`)
    }
  }

  async function explainMissingRow (product: string, attribute: string): Promise<never> {
    if (attribute !== '0' && await client.get('combinations', attribute) === undefined) {
      throw new NotFoundError(`combination ${attribute} does not exist in the shop`)
    }
    throw new TransientError(`stock row missing: the shop has no stock of product ${product}, combination ${attribute}`)
  }

  async function replace (row: Row, quantity: number): Promise<void> {
    await client.put(resource, reference(row.id), recordXml('stock_available', wholeRow(row, quantity)))
  }

  async function change (row: Row, quantity: number): Promise<void> {
    if (await kv.get(patchUnknown) === true) return replace(row, quantity)
    const id = reference(row.id)
    if (await client.patch(resource, id, recordXml('stock_available', { id, quantity: String(quantity) }))) return
    await replace(row, quantity)
    await kv.set(patchUnknown, true, { ttlSeconds: rememberSeconds })
    log.info({ resource }, 'the shop does not accept PATCH from this key, whole rows are written instead')
  }

  return async ({ productExternalId, variantExternalId, quantity }) => {
    const product = productId(productExternalId)
    const row = await readRow(product, attributeId(variantExternalId, product))
    // Skip the write when nothing changes: the shop announces every write as a change, and the hub
    // would read it again for nothing.
    if (integer(row.quantity) !== quantity) await change(row, quantity)
  }
}

/**
 * Returns every member that the shop empties when the body lacks it. The row comes from a list, so
 * no member is missing for being 0.
 */
function wholeRow (row: Row, quantity: number): Record<string, string> {
  const ids = ['id', 'id_product', 'id_product_attribute', 'id_shop', 'id_shop_group']
  return {
    ...Object.fromEntries(ids.map(name => [name, reference(row[name])])),
    quantity: String(quantity),
    depends_on_stock: reference(row.depends_on_stock),
    out_of_stock: reference(row.out_of_stock),
    location: text(row.location) ?? ''
  }
}
