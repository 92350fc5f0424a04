import { randomUUID } from 'node:crypto'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import type { Jobs } from '../jobs/support.ts'

const piecesOfEach = 30

/** A shop with 30 pieces of each variant, and a marketplace that offers each by its name. */
export interface Sale {
  shop: string
  market: string
  variantIdOf(variant: string): string
  offer(variant: string): Promise<void>
}

export async function openSale (jobs: Jobs, variants: readonly string[] = ['offer-1']): Promise<Sale> {
  const { query } = jobs.database
  const [shop, market] = [await jobs.addConnection(), await jobs.addConnection()]
  const capabilities = '["InventoryMaster", "OrderProcessorManager"]'
  await query('update connections set capabilities = $2 where id = $1', [shop, capabilities])
  const [{ now = '' } = {}] = await query<{ now: string }>('select clock_timestamp()::text as now')
  const stock = variants.map(name => ({ productExternalId: 'p', variantExternalId: name, quantity: piecesOfEach }))
  await recordStock(jobs.database, { id: randomUUID(), connectionId: shop, claimedAt: now }, stock)
  const sale: Sale = {
    shop,
    market,
    variantIdOf: variant => variantIdOf(shop, 'p', variant),
    async offer (variant) {
      await query(
        `
        insert into offers (
          id, connection_id, variant_id, external_id, status,
          frozen_fields, problems, created_at, updated_at
        )
        values ($1, $2, $3, $4, 'ACTIVE', '[]', '[]', now(), now())`,
        [randomUUID(), market, sale.variantIdOf(variant), variant]
      )
    }
  }
  for (const variant of variants) await sale.offer(variant)
  return sale
}

interface Stock {
  reserved: number
  version: number
}

/** Returns the reserved pieces of a variant, and the version of its stock. */
export async function readStock (jobs: Jobs, variantId: string): Promise<Stock | undefined> {
  const [row] = await jobs.database.query<Stock>(
    'select reserved, version from stock where variant_id = $1',
    [variantId]
  )
  return row
}
