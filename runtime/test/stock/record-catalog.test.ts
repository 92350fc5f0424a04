import type { Product, StockLevel } from '@linker/sdk'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { recordCatalog } from '../../src/stock/record-catalog.ts'
import { recordStock, storeQuantities } from '../../src/stock/record-stock.ts'
import { byVariant } from '../../src/stock/record-stock.ts'
import { findDifferences } from '../../src/stock/sweeps/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const nobody = '00000000-0000-4000-8000-000000000000'
const product = (isActive: boolean, more: object = {}): Product => ({
  externalId: 'p',
  name: 'Mug',
  isActive,
  variants: [{ externalId: 'v', ...more }]
})
const level = (more: Partial<StockLevel> = {}): StockLevel => ({
  productExternalId: 'p',
  variantExternalId: 'v',
  quantity: 5,
  ...more
})

t.test('a variant that the shop switches off and on', async t => {
  const { database, addConnection } = await openJobsFor(t, cheapestKind)
  const { query } = database
  const now = async () => (await query<{ now: string }>('select clock_timestamp()::text as now'))[0]?.now ?? ''
  const rowOf = async (connectionId: string) =>
    (await query<{ quantity: number, version: number, isSellable: boolean }>(
      `select quantity, version, is_sellable as "isSellable"
      from variants
      left join stock on stock.variant_id = variants.id
      where variants.id = $1`,
      [variantIdOf(connectionId, 'p', 'v')]
    ))[0]
  const record = async (connectionId: string, ...levels: StockLevel[]) =>
    recordStock(database, { id: nobody, connectionId, claimedAt: await now() }, levels)

  t.test('keeps its stock, and each switch is propagated once', async t => {
    const id = await addConnection()
    await recordCatalog(database, id, [product(true)])
    await record(id, level())

    const off = await recordCatalog(database, id, [product(false)], 'request-1')
    t.match(off, [{
      jobType: 'inventory.propagateToMarketplaces',
      payload: { stockVersion: 2 },
      requestId: 'request-1'
    }])
    t.strictSame(await rowOf(id), { quantity: 5, version: 2, isSellable: false })
    t.strictSame(await recordCatalog(database, id, [product(false)]), [])

    t.match(await recordCatalog(database, id, [product(true)]), [{ payload: { stockVersion: 3 } }])
    t.strictSame(await rowOf(id), { quantity: 5, version: 3, isSellable: true })
  })

  t.test('follows its own `sellable` before that of the product', async t => {
    const id = await addConnection()
    await recordCatalog(database, id, [product(true, { sellable: false })])
    t.match(await rowOf(id), { isSellable: false })

    await recordCatalog(database, id, [product(false, { sellable: true })])
    t.match(await rowOf(id), { isSellable: true })
  })

  t.test('is known as switched off when its first stock comes later', async t => {
    const id = await addConnection()
    await recordCatalog(database, id, [product(false)])
    await record(id, level())

    t.strictSame(await rowOf(id), { quantity: 5, version: 1, isSellable: false })
  })

  t.test('is noticed by a sweep, unless the product was read after its page', async t => {
    const id = await addConnection()
    await recordCatalog(database, id, [product(true)])
    await record(id, level())
    const before = await now()
    const off = level({ sellable: false })
    t.strictSame((await findDifferences(query, byVariant(id, [off]), before)).map(({ from }) => from), [5])
    await recordCatalog(database, id, [product(true)])
    await record(id, level())
    t.strictSame((await storeQuantities(database, id, [off], before)).stored, [], 'the page is older')
    t.match(await rowOf(id), { version: 1, isSellable: true })

    t.match((await storeQuantities(database, id, [off], await now())).stored, [{ version: 2 }])
    t.strictSame(await rowOf(id), { quantity: 5, version: 2, isSellable: false })
    const both = await record(id, level({ sellable: true, quantity: 6 }))
    t.match(both, [{ payload: { stockVersion: 4 } }])
    t.match(await record(id, level()), [], 'a reading that does not tell it leaves it')
  })

  t.test('keeps the price without its promotion only while there is one', async t => {
    const id = await addConnection()
    const regularOf = async () =>
      (await query<{ regular: unknown }>('select regular_price as regular from variants where id = $1', [
        variantIdOf(id, 'p', 'v')
      ]))[0]?.regular
    const price = { amount: '80.00', currency: 'PLN' }
    const regularPrice = { amount: '100.00', currency: 'PLN' }

    await recordCatalog(database, id, [product(true, { price, regularPrice })])
    t.strictSame(await regularOf(), regularPrice)
    await recordCatalog(database, id, [product(true)])
    t.strictSame(await regularOf(), regularPrice, 'the shop told no price this time')
    await recordCatalog(database, id, [product(true, { price: regularPrice })])
    t.equal(await regularOf(), null)
  })
})
