import type { Database } from '../database/database.ts'
import { createBatch } from '../streams/batch.ts'
import { readOfferStocks, readVersions, type OfferStock, type OfferVersion } from './store.ts'

/**
 * Readings that jobs share: one statement reads what all jobs of a moment need. Ids may be written
 * in capitals.
 */
export interface OfferReads {
  /** Reads what the job that writes the quantity of an offer needs. */
  stockOf(offerId: string): Promise<OfferStock | undefined>
  /** Returns the versions of the offers of a variant, without those that ended. */
  versionsOf(variantId: string): Promise<readonly OfferVersion[]>
}

const limits = { maxItems: 200, maxRunning: 2, maxWaiting: 100_000 }

export function createOfferReads ({ query }: Pick<Database, 'query'>): OfferReads {
  const stocks = createBatch<string, { found: OfferStock | undefined }>({
    ...limits,
    async run (ids) {
      const found = new Map((await readOfferStocks(query, ids)).map(stock => [stock.id, stock]))
      return ids.map(id => ({ found: found.get(id.toLowerCase()) }))
    }
  })
  const versions = createBatch<string, readonly OfferVersion[]>({
    ...limits,
    async run (variantIds) {
      const found = Map.groupBy(await readVersions(query, { variantIds }), ({ variantId }) => variantId)
      return variantIds.map(id => found.get(id.toLowerCase()) ?? [])
    }
  })
  return {
    stockOf: async id => (await stocks.add(id)).found,
    versionsOf: id => versions.add(id)
  }
}
