import { NotFoundError, type Product, type ProductMaster } from '@linker/sdk'
import { anyOf, type ListQuery, type ShopClient } from '../client.ts'
import { shopUrlOf, type ShopContext } from '../config.ts'
import { isUpToDate, watermark } from '../webservice/changed-since.ts'
import { createLocalTime } from '../webservice/local-time.ts'
import { readAll, readByIds, readPage } from '../webservice/paging.ts'
import { reference, type Row } from '../webservice/row.ts'
import { productId } from './ids.ts'
import { createPrices } from './prices.ts'
import { readProduct, type ReadingOptions } from './read.ts'
import { createVariantNames } from './variant-names.ts'

export function createProductMaster (client: ShopClient, context: ShopContext): ProductMaster {
  const { config, credentials, log } = context
  const fields = { display: 'full', language: config.languageId }
  const prices = createPrices(client, context)
  const prepareNames = createVariantNames(client, context)

  function readCombinations (products: readonly Row[], priceQuery: ListQuery): Promise<Row[]> {
    if (products.length === 0) return Promise.resolve([])
    return readAll(client, 'combinations', {
      'filter[id_product]': anyOf(products.map(({ id }) => reference(id))),
      display: 'full',
      ...priceQuery
    })
  }

  async function makeProducts (rows: readonly Row[], combinations: readonly Row[]): Promise<Product[]> {
    const [prepared, variantNames] = await Promise.all([prices.prepare(rows), prepareNames(combinations)])
    const options: ReadingOptions = {
      shopUrl: config.baseUrl ?? shopUrlOf(credentials.apiUrl),
      imageType: config.imageType,
      languageId: config.languageId,
      time: config.timeZone === undefined ? undefined : createLocalTime(config.timeZone),
      prices: prepared,
      variantNames
    }
    const combinationsOf = Map.groupBy(combinations, row => reference(row.id_product))
    return rows.map(row => readProduct(row, combinationsOf.get(reference(row.id)) ?? [], options))
  }

  return {
    async getProduct (externalId) {
      const id = productId(externalId)
      // Read it by a filter, not by its URL: a single record comes without its falsy members.
      const priceQuery = await prices.query()
      const [rows, combinations] = await Promise.all([
        readByIds(client, 'products', [id], { ...fields, ...priceQuery }),
        readCombinations([{ id }], priceQuery)
      ])
      const finished = client.kinds.leaveOutDrafts(rows)
      if (finished.length < rows.length) throw new NotFoundError(`product ${id} is a draft in the shop`)
      const [product] = await makeProducts(finished, combinations)
      if (product === undefined) throw new NotFoundError(`product ${id} does not exist in the shop`)
      return product
    },

    async listProducts ({ cursor, limit, updatedSince }) {
      const after = updatedSince === undefined ? undefined : watermark(updatedSince, config.timeZone)
      const changed = after === undefined ? {} : { date: 1, 'filter[date_upd]': `>[${after}]` }
      const priceQuery = await prices.query()
      const query = { ...changed, ...fields, ...priceQuery }
      const page = await readPage(client, 'products', { cursor, limit }, query, log)
      const rows = client.kinds.leaveOutDrafts(page.rows).filter(row => !isUpToDate(row, after))
      const items = await makeProducts(rows, await readCombinations(rows, priceQuery))
      return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor }
    }
  }
}
