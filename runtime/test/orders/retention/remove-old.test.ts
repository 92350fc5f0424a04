import { randomUUID } from 'node:crypto'
import t from 'tap'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { createOrderAtShop } from '../../../src/orders/jobs.ts'
import { removeOldOrders } from '../../../src/orders/retention/remove-old.ts'
import { mustSearch } from '../../../src/orders/shop/creation-attempt.ts'
import { readOrder } from '../../../src/orders/store.ts'
import { createServices } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { placeOrder } from '../placed-order.ts'

const belongings = ['order_lines', 'order_history', 'shipments'] as const

for (const kind of kinds(t)) {
  t.test(`the removal of old orders, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const { query } = database
    const { enqueueJobs } = createServices(jobs, () => ({}))

    /** Places an order that the shop has and that was shipped so many days ago. */
    async function ship (days: number, placedAt = '2025-01-02T10:00:00.000Z') {
      const placed = await placeOrder(jobs, { placedAt })
      await placed.putAtShop()
      await query('update order_lines set is_reserved = false where order_id = $1', [placed.orderId])
      await query(
        "insert into shipments (order_id, connection_id, status) values ($1, $2, 'created')",
        [placed.orderId, placed.shop]
      )
      await placed.set(`status = 'shipped', ended_at = now() - interval '${days} days'`)
      return placed
    }
    const isThere = async (id: string): Promise<boolean> => await readOrder(query, id) !== undefined
    const countOf = async (table: string, id: string): Promise<number> =>
      (await query(`select from ${table} where order_id = $1`, [id])).length

    await t.test('goes by the end of an order, and takes all that belongs to it', async t => {
      const [old, recent, open] = [await ship(401), await ship(399), await placeOrder(jobs)]
      await open.set("updated_at = now() - interval '1000 days'")

      t.equal(await removeOldOrders(database, 400), 1)
      t.strictSame(await Promise.all([old, recent, open].map(({ orderId }) => isThere(orderId))), [false, true, true])
      for (const table of belongings) {
        t.equal(await countOf(table, old.orderId), 0, table)
        t.ok(await countOf(table, recent.orderId) > 0, table)
      }
      t.equal(await removeOldOrders(database, 400), 0)
    })

    await t.test('waits for a command that has not ended, and for reserved pieces', async t => {
      const [busy, reserving] = [await ship(401), await ship(401)]
      const { orderId, shop } = busy
      await enqueueJobs([createOrderAtShop.request({ orderId }, { connectionId: shop, key: randomUUID() })])
      await query('update order_lines set is_reserved = true where order_id = $1', [reserving.orderId])

      t.equal(await removeOldOrders(database, 400), 0)
      await query('delete from jobs where connection_id = $1', [shop])
      await query('update order_lines set is_reserved = false where order_id = $1', [reserving.orderId])
      t.equal(await removeOldOrders(database, 400), 2)
    })

    await t.test('an order that comes back is searched in the shop before it is made there', async t => {
      const { market, orderId } = await ship(401, '2025-03-01T10:00:00.000Z')
      const again = async (placedAt: string): Promise<boolean> => {
        const order = orderOf(randomUUID(), { placedAt })
        const ingested = await database.transaction(transaction => ingestOrder(transaction, market, order))
        const row = await readOrder(query, ingested.orderId)
        return row !== undefined && mustSearch(row)
      }
      t.equal(await again('2025-03-01T10:00:00.000Z'), false, 'before the removal')
      t.equal(await removeOldOrders(database, 400), 1)
      t.equal(await isThere(orderId), false)

      t.equal(await again('2025-03-01T10:00:00.000Z'), true)
      t.equal(await again('2025-02-01T10:00:00.000Z'), true)
      t.equal(await again('2025-03-01T10:00:01.000Z'), false, 'a later one cannot have been removed')
    })
  })
}
