import { randomUUID } from 'node:crypto'
import t from 'tap'
import { coreDeathEffectsOf } from '../../src/handlers/core-jobs.ts'
import { releaseOrder, retryOrder } from '../../src/orders/actions.ts'
import { ingestOrder } from '../../src/orders/ingest-order.ts'
import { getOrder, listOrders } from '../../src/orders/read-orders.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from './journal.ts'
import { openSale, readStock } from './sale.ts'

const problem = { code: 'LNK_ADAPTER_REJECTED', message: 'Country PL not found' }

for (const kind of kinds(t)) {
  t.test(`an order that failed, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const { query } = database
    const request = () => ({ operationId: randomUUID(), requestId: 'request' })

    /** Opens a paid order of two pieces. */
    async function openOrder () {
      const { market, variantIdOf } = await openSale(jobs)
      const order = orderOf('o1')
      const read = (status = order.status) =>
        database.transaction(async transaction => {
          const lines = order.lines.map(line => ({ ...line, quantity: 2 }))
          return ingestOrder(transaction, market, { ...order, lines, status })
        })
      const { orderId: id } = await read()
      return {
        id,
        read,
        fail: () =>
          database.transaction(async transaction => {
            await coreDeathEffectsOf('master.order.create')?.(transaction, {
              id: randomUUID(),
              connectionId: market,
              payload: { orderId: id }
            }, problem)
          }),
        set: (change: string) => query(`update orders set ${change} where id = $1`, [id]),
        release: () => releaseOrder(jobs, id, request()),
        reserved: async () => (await readStock(jobs, variantIdOf('offer-1')))?.reserved
      }
    }

    t.test('says that its pieces are still reserved, read by itself and in the list', async t => {
      const { id, fail } = await openOrder()
      t.match(await getOrder(query, id), { status: 'ready', reserved: 2, problems: { length: 0 } })
      await fail()
      const kept = `the order still reserves pieces (2): \`linker orders release ${id}\` ` +
        `(POST /orders/${id}/release) gives them back`
      t.strictSame((await getOrder(query, id)).problems, ['Country PL not found', kept])
      const listed = await listOrders(query, { limit: 200, newestFirst: false, status: 'failed' })
      t.match(listed.find(order => order.id === id), { reserved: 2, problems: ['Country PL not found', kept] })
    })

    t.test('gives its pieces back once under sixteen requests, and for good', async t => {
      const { id, read, fail, release, reserved } = await openOrder()
      await fail()
      const answers = await Promise.all(Array.from({ length: 16 }, release))
      t.equal(answers.flat().length, 1, 'one job tells the offers')
      t.equal(await reserved(), 0)
      t.match(await getOrder(query, id), { status: 'failed', reserved: 0, problems: ['Country PL not found'] })
      t.equal((await getOrder(query, id)).history.filter(({ event }) => event === 'released').length, 1)

      await read()
      t.equal(await reserved(), 0)
      t.match(await getOrder(query, id), { status: 'failed' })
    })

    t.test('reserves its pieces again with a retry, and keeps them when it fails again', async t => {
      const { id, read, fail, release, reserved } = await openOrder()
      await fail()
      await release()
      await Promise.all([1, 2].map(() => retryOrder(jobs, id, { operationId: 'same', requestId: 'request' })))
      t.match(await getOrder(query, id), { status: 'ready', reserved: 2, problems: { length: 0 } })
      t.equal(await reserved(), 2)

      await fail()
      await read()
      t.equal(await reserved(), 2)
      await read('cancelled')
      t.equal(await reserved(), 0)
    })

    t.test('gives its pieces back like a finished order, but an order still to be made does not', async t => {
      const { id, set, release, reserved } = await openOrder()
      for (const status of ['ready', 'pending', 'awaiting_mapping']) {
        await set(`status = '${status}'`)
        const message = new RegExp(`is ${status}: its pieces are reserved`)
        await t.rejects(release(), { code: 'LNK_ORDER_STATE', message })
      }
      t.equal(await reserved(), 2)
      await set("status = 'cancelled'")
      t.equal((await release()).length, 1)
      t.equal(await reserved(), 0)
      await t.rejects(releaseOrder(jobs, randomUUID(), request()), { code: 'LNK_ORDER_NOT_FOUND' })
      t.equal((await getOrder(query, id)).history.filter(({ event }) => event === 'released').length, 0)
    })
  })
}
