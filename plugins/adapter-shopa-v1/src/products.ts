import { NotFoundError, RejectedError, type ProductMaster } from '@linker/sdk'
import { anyOf, type ShopClient } from './client.ts'
import type { ShopContext } from './config.ts'
import { createLocalTime } from './local-time.ts'
import { readPage } from './paging.ts'
import { isDraft, readProduct, type ReadingOptions } from './product.ts'
import { productId } from './product-ids.ts'
import { reference, type Row } from './records.ts'

// Two minutes for clocks that disagree, an hour for the one that is repeated in autumn.
const overlapMs = 62 * 60_000
// Behind every other zone: while the shop's zone is not known, the watermark is early by hours instead of late.
const earliestZone = 'Etc/GMT+12'

export function createProductMaster (client: ShopClient, context: ShopContext): ProductMaster {
  const { config, credentials } = context
  const watermarkTime = createLocalTime(config.timeZone ?? earliestZone)
  const reading: ReadingOptions = {
    shopUrl: config.baseUrl ?? credentials.apiUrl.replace(/\/api$/, ''),
    imageType: config.imageType ?? 'large_default',
    languageId: config.languageId,
    time: config.timeZone === undefined ? undefined : watermarkTime
  }
  const fields = { display: 'full', language: config.languageId }

  function readCombinations (productIds: readonly string[]): Promise<Row[]> {
    if (productIds.length === 0) return Promise.resolve([])
    return client.list('combinations', { 'filter[id_product]': anyOf(productIds), display: 'full' })
  }

  function changedSince (updatedSince: string | undefined) {
    if (updatedSince === undefined) return {}
    const instant = new Date(Date.parse(updatedSince) - overlapMs)
    if (Number.isNaN(instant.getTime())) throw new RejectedError(`updatedSince '${updatedSince}' is no ISO 8601 time`)
    return { date: 1, 'filter[date_upd]': `>[${watermarkTime.fromInstant(instant)}]` }
  }

  return {
    async getProduct (externalId) {
      const id = productId(externalId)
      // By a filter, not by its address: a single record comes without its falsy members.
      const [rows, combinations] = await Promise.all([
        client.list('products', { 'filter[id]': anyOf([id]), ...fields }),
        readCombinations([id])
      ])
      const row = rows.find(row => reference(row.id) === id)
      if (row === undefined) throw new NotFoundError(`product ${id} does not exist in the shop`)
      if (isDraft(row)) throw new NotFoundError(`product ${id} is a draft in the shop`)

      return readProduct(row, combinations.filter(combination => reference(combination.id_product) === id), reading)
    },

    async listProducts ({ cursor, limit, updatedSince }) {
      const page = await readPage(client, 'products', { cursor, limit }, { ...changedSince(updatedSince), ...fields }, context.log)
      const rows = page.rows.filter(row => !isDraft(row))
      const combinations = Map.groupBy(await readCombinations(rows.map(row => reference(row.id))), row => reference(row.id_product))

      const items = rows.map(row => readProduct(row, combinations.get(reference(row.id)) ?? [], reading))
      return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor }
    }
  }
}
