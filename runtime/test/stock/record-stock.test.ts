import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { recordReserved, recordStock, storeQuantities } from '../../src/stock/record-stock.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

for (const kind of kinds(t)) {
  t.test(`what is stored of stock, ${kind}`, async t => {
    const { database, addConnection } = await openJobsFor(t, kind)
    const level = (quantity: number, product = 'p') => ({ productExternalId: product, variantExternalId: 'v', quantity })
    const stockOf = async (connectionId: string) => (await database.query<{ quantity: number, reserved: number, version: number }>('select quantity, reserved, version from stock where variant_id = $1', [variantIdOf(connectionId, 'p', 'v')]))[0]
    const now = async (): Promise<string> => (await database.query<{ now: string }>('select clock_timestamp()::text as now'))[0]?.now ?? ''

    t.test('a variant that nobody can sell yet is not propagated, one that is known is', async t => {
      const id = await addConnection()
      const jobs = [await recordStock(database, id, [level(5)]), await recordStock(database, id, [level(5)]), await recordStock(database, id, [level(6)])]

      t.strictSame(jobs.map(made => made.map(({ jobType }) => jobType)), [['master.product.syncByExternalId'], ['inventory.propagateToMarketplaces'], ['inventory.propagateToMarketplaces']])
      t.strictSame(jobs.slice(1).map(([made]) => made?.payload.stockVersion), [1, 2])
    })

    t.test('the page of a listing does not write over what was read by itself after it', async t => {
      const id = await addConnection()
      await recordStock(database, id, [level(5)])
      const before = await now()
      await recordStock(database, id, [level(4)])
      const { stored } = await storeQuantities(database, id, [level(5)], before)

      t.strictSame(stored, [])
      t.match(await stockOf(id), { quantity: 4, version: 2 })
      t.match((await storeQuantities(database, id, [level(7)], await now())).stored, [{ version: 3 }])
      t.match(await stockOf(id), { quantity: 7 })
    })

    t.test('what orders reserve raises the version, is summed, and is never less than nothing', async t => {
      const id = await addConnection()
      await recordStock(database, id, [level(5)])
      const variantId = variantIdOf(id, 'p', 'v')

      t.match(await recordReserved(database, [{ variantId, by: 2 }, { variantId, by: 1 }]), [{ variantId, version: 2 }])
      t.match(await stockOf(id), { quantity: 5, reserved: 3 })
      t.strictSame(await recordReserved(database, [{ variantId, by: 1 }, { variantId, by: -1 }]), [])
      await recordReserved(database, [{ variantId, by: -4 }])
      t.match(await stockOf(id), { reserved: 0, version: 3 })
    })
  })
}
