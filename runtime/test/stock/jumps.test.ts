import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { confirmJumps } from '../../src/stock/jumps.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { publishedQuantity } from '../../src/stock/rules.ts'
import { clearStock, countJumpedStock, findStock, listStockOf, subtractSold } from '../../src/stock/store.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

const limits = { buffer: 0, maxListed: null }

for (const kind of kinds(t)) {
  t.test(`stock that jumps, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database: { query } } = jobs

    /** A shop whose variants `v` and `w` have 10 pieces, or one stock of 10. */
    async function openShop ({ settings = { confirmStockJump: 50 }, sharedStockId = undefined as string | undefined } =
      {})
    {
      const connectionId = await jobs.addConnection()
      await query('update connections set settings = $2 where id = $1', [connectionId, JSON.stringify(settings)])
      const variantId = variantIdOf(connectionId, 'p', 'v')
      const shared = sharedStockId === undefined ? {} : { sharedStockId }
      async function read (quantity: number, more = {}) {
        const [now] = await query<{ at: string }>("select (clock_timestamp() + interval '1 ms')::text as at")
        await query('select pg_sleep(0.002)')
        const level = { productExternalId: 'p', quantity, ...shared, ...more }
        return recordStock({ query }, { id: variantId, connectionId, claimedAt: now?.at ?? '' }, [
          { ...level, variantExternalId: 'v' },
          ...sharedStockId === undefined ? [] : [{ ...level, variantExternalId: 'w' }]
        ])
      }
      async function shown (id = variantId) {
        const [stock] = await listStockOf(query, [id])
        return stock === undefined ? undefined : publishedQuantity(stock, limits)
      }
      const jumped = async () =>
        (await findStock(query, { connectionId, jumped: true, limit: 10, after: undefined })).length
      const count = async () => (await countJumpedStock(query)).filter(row => row.connectionId === connectionId)
      await read(10)
      return { connectionId, variantId, read, shown, jumped, count }
    }

    t.test('keeps the old quantity on sale until a person confirms the new one', async t => {
      const { connectionId, variantId, read, shown, jumped, count } = await openShop()
      await read(60)
      t.equal(await shown(), 60, 'fifty more are no jump')
      await read(1_000)

      t.equal(await shown(), 60)
      t.equal(await jumped(), 1)
      t.match(await count(), [{ count: 1, since: String }])
      t.match(await findStock(query, { variantId, limit: 1, after: undefined }), [{
        quantity: 1_000,
        confirmedQuantity: 60,
        jumpedAt: String
      }])
      const { confirmed, jobs: following } = await confirmJumps({ query }, { variantId }, 'request')
      t.equal(confirmed, 1)
      t.match(following, [{ jobType: 'inventory.propagateToMarketplaces', connectionId, payload: { variantId } }])
      t.equal(await shown(), 1_000)
      t.strictSame(await count(), [])
      t.match(await confirmJumps({ query }, { connectionId }, 'request'), { confirmed: 0, jobs: [] })
      t.match(await read(1_000), [{ payload: { stockVersion: 4 } }], 'a repeated reading starts nothing new')
      t.equal(await shown(), 1_000)
    })

    t.test('passes on at once what falls, also while it waits', async t => {
      const { read, shown, jumped } = await openShop()
      await read(1_000)
      await read(997)
      t.equal(await shown(), 7, 'three may have been sold')
      await read(998)
      t.equal(await shown(), 8)
      await read(500)
      t.equal(await shown(), 8, 'this corrects the jump')
      t.equal(await jumped(), 1)
      await read(5)
      t.equal(await shown(), 5)
      t.equal(await jumped(), 0, 'the level went back')
    })

    t.test('ends when the level comes near to the old one, or the shop has the setting no more', async t => {
      const { connectionId, read, shown, jumped } = await openShop()
      await read(1_000)
      await read(40)
      t.equal(await shown(), 40)
      t.equal(await jumped(), 0)
      await read(1_000)
      t.equal(await shown(), 40)
      await query("update connections set settings = '{}' where id = $1", [connectionId])
      await read(1_000)
      t.equal(await shown(), 1_000)
      t.equal(await jumped(), 0)
    })

    t.test('loses the pieces that orders take, and all when the variant is gone', async t => {
      const { variantId, read, shown, jumped } = await openShop()
      await read(1_000)
      await subtractSold(query, new Map([[variantId, 4]]))
      t.equal(await shown(), 6)
      await read(996)
      t.equal(await shown(), 6)
      await clearStock(query, [variantId])
      t.equal(await shown(), 0)
      t.equal(await jumped(), 0)
    })

    t.test('waits for no one without the setting, and not when the shop does not count it', async t => {
      const { read, shown } = await openShop({ settings: {} as never })
      await read(1_000)
      t.equal(await shown(), 1_000)
      const counting = await openShop()
      await counting.read(0, { isCounted: false })
      t.equal(await counting.jumped(), 0)
      t.equal(await counting.shown(), 100)
    })

    t.test('is that of all variants that share it, and confirmed for all', async t => {
      const { connectionId, variantId, read, shown, jumped } = await openShop({ sharedStockId: 's' })
      const other = variantIdOf(connectionId, 'p', 'w')
      await read(1_000)
      t.strictSame([await shown(), await shown(other), await jumped()], [10, 10, 2])
      t.match(await confirmJumps({ query }, { variantId }, 'request'), { confirmed: 2 })
      t.strictSame([await shown(), await shown(other)], [1_000, 1_000])
    })
  })
}
