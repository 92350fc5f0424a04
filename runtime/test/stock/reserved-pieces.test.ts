import { randomUUID } from 'node:crypto'
import t from 'tap'
import { markGone } from '../../src/stock/mark-gone.ts'
import { storeQuantities } from '../../src/stock/record-stock.ts'
import { recordReserved, recordSold } from '../../src/stock/reserved-pieces.ts'
import { sellable } from '../../src/stock/rules.ts'
import { listStockOf } from '../../src/stock/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { longAgo, openMarket } from '../offers/market.ts'

t.test('pieces that orders reserve', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const stock = () =>
    database.query<{ quantity: number, reserved: number, version: number }>(`
        select quantity, reserved, version
        from stock
        join variants on variants.id = stock.variant_id
        order by external_id`)

  t.test('change each variant once, by the sum of its changes', async t => {
    const { variantIdOf } = await openMarket(jobs, ['a', 'b', 'c'])
    const [a, b, c] = ['a', 'b', 'c'].map(variantIdOf)
    const changes = [[a, 2], [b, 1], [a, 1], [c, 1], [c, -1]] as const
    const stored = await recordReserved(
      database,
      changes.map(([variantId = '', by]) => ({ variantId, by }))
    )

    t.strictSame(stored.map(({ variantId, version }) => [variantId, version]).toSorted(), [[a, 2], [b, 2]].toSorted())
    t.strictSame(await stock(), [
      { quantity: 5, reserved: 3, version: 2 },
      { quantity: 5, reserved: 1, version: 2 },
      { quantity: 5, reserved: 0, version: 1 }
    ], 'the changes of the last one cancel each other out')
  })

  t.test('leave the stock with the sale, and the offers show the same as before', async t => {
    const { variantId } = await openMarket(jobs)
    await recordReserved(database, [{ variantId, by: 3 }])
    await recordSold(database, [{ variantId, by: 1 }, { variantId, by: 1 }])
    t.strictSame(await stock(), [{ quantity: 3, reserved: 1, version: 2 }])

    await recordSold(database, [{ variantId, by: 2 }])
    t.strictSame(await stock(), [{ quantity: 1, reserved: 0, version: 2 }], 'none is reserved twice')
  })

  t.test('of one variant are missing from all that share its stock, and go with the sale', async t => {
    const { variantIdOf } = await openMarket(jobs, ['a', 'b', 'c'])
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map(variantIdOf)
    await database.query('update stock set shared_id = $1 where variant_id = any($2)', [randomUUID(), [a, b]])
    const left = async () =>
      (await listStockOf(database.query, [a, b, c]))
        .toSorted((one, other) => [a, b, c].indexOf(one.variantId) - [a, b, c].indexOf(other.variantId))
        .map(sellable)

    const stored = await recordReserved(database, [{ variantId: a, by: 2 }])
    t.strictSame(stored.map(({ variantId }) => variantId).toSorted(), [a, b].toSorted(), 'both are propagated')
    t.strictSame(await left(), [3, 3, 5])

    await recordReserved(database, [{ variantId: b, by: 1 }])
    t.strictSame(await left(), [2, 2, 5])

    await recordSold(database, [{ variantId: a, by: 2 }, { variantId: b, by: 1 }])
    t.strictSame(await left(), [2, 2, 5], 'the offers show the same as before')
    t.match(await stock(), [{ quantity: 2, reserved: 0 }, { quantity: 2, reserved: 0 }, { quantity: 5 }])
  })

  t.test('of a shared stock leave a variant at zero that the shop no longer has', async t => {
    const { variantIdOf } = await openMarket(jobs, ['a', 'b'])
    const [a = '', b = ''] = ['a', 'b'].map(variantIdOf)
    await database.query('update stock set shared_id = $1', [randomUUID()])
    await recordReserved(database, [{ variantId: a, by: 2 }, { variantId: b, by: 1 }])
    const [{ now = '' } = {}] = await database.query<{ now: string }>('select clock_timestamp()::text as now')
    await markGone(database.query, [b], now)

    await recordSold(database, [{ variantId: a, by: 2 }, { variantId: b, by: 1 }])

    t.match(await stock(), [{ quantity: 2, reserved: 0 }, { quantity: 0, reserved: 0 }])
  })

  t.test('of a stock that is not counted take nothing off it', async t => {
    const { variantId } = await openMarket(jobs)
    await database.query('update stock set is_counted = false, quantity = 100 where variant_id = $1', [variantId])
    await recordReserved(database, [{ variantId, by: 3 }])
    t.strictSame((await listStockOf(database.query, [variantId])).map(sellable), [100])

    await recordSold(database, [{ variantId, by: 3 }])
    t.strictSame(await stock(), [{ quantity: 100, reserved: 0, version: 2 }])
  })

  t.test('that are sold make readings too old that began before', async t => {
    const { shop, variantId } = await openMarket(jobs)
    await database.query('update stock set read_at = $1', [longAgo])
    const [{ before = '' } = {}] = await database.query<
      { before: string }
    >("select (clock_timestamp() - interval '1 millisecond')::text as before")
    await recordSold(database, [{ variantId, by: 1 }])
    const level = { productExternalId: 'p', variantExternalId: 'v', quantity: 5 }

    t.match(await storeQuantities(database, shop, [level], before), { outdated: 1 })
    t.match(await stock(), [{ quantity: 4 }])
  })
})
