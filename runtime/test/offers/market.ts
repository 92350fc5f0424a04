import { randomUUID } from 'node:crypto'
import { variantIdOf } from '../../src/catalog/identity.ts'
import type { OfferProblem } from '../../src/offers/problem-codes.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import type { Jobs } from '../jobs/support.ts'

type Columns = Readonly<Record<string, unknown>>

/** A marketplace, and a shop with five pieces of each variant of product `p`. */
export interface Market {
  shop: string
  market: string
  /** The id of the first variant. */
  variantId: string
  variantIdOf(variant: string): string
  setStock(quantity: number, variant?: string): Promise<void>
  /** Inserts an offer of the first variant with these columns. Returns its id. */
  addOffer(columns?: Columns): Promise<string>
  /** Returns the row of an offer. */
  offer(id: string): Promise<Columns | undefined>
  problems(id: string): Promise<OfferProblem[] | undefined>
}

/** A time long before the tests, for writes that a marketplace has shown since. */
export const longAgo = '2025-01-01T00:00:00.000Z'

export async function openMarket (jobs: Jobs, variants: readonly [string, ...string[]] = ['v']): Promise<Market> {
  const { query } = jobs.database
  const [shop, market] = [await jobs.addConnection(), await jobs.addConnection()]
  const idOf = (variant: string): string => variantIdOf(shop, 'p', variant)

  async function setStock (quantity: number, ...names: readonly string[]): Promise<void> {
    const [{ now = '' } = {}] = await query<{ now: string }>('select clock_timestamp()::text as now')
    const levels = names.map(name => ({ productExternalId: 'p', variantExternalId: name, quantity }))
    await recordStock(jobs.database, { id: randomUUID(), connectionId: shop, claimedAt: now }, levels)
  }

  await setStock(5, ...variants)
  return {
    shop,
    market,
    variantId: idOf(variants[0]),
    variantIdOf: idOf,
    setStock: (quantity, variant = variants[0]) => setStock(quantity, variant),
    async addOffer (columns = {}) {
      const id = randomUUID()
      const row = new Map(Object.entries({
        id,
        connection_id: market,
        variant_id: idOf(variants[0]),
        external_id: 'offer-1',
        status: 'ACTIVE',
        frozen_fields: [],
        problems: [],
        created_at: longAgo,
        updated_at: longAgo,
        ...columns
      }))
      const places = Array.from(row, (_, index) => `$${index + 1}`)
      const values = Array.from(row.values(), value => Array.isArray(value) ? JSON.stringify(value) : value)
      await query(`insert into offers (${[...row.keys()].join(', ')}) values (${places.join(', ')})`, values)
      return id
    },
    async offer (id) {
      const [row] = await query<Columns>('select * from offers where id = $1', [id])
      return row
    },
    async problems (id) {
      const [row] = await query<{ problems: OfferProblem[] }>('select problems from offers where id = $1', [id])
      return row?.problems
    }
  }
}
