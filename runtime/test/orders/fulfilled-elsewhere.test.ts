import t from 'tap'
import { cancelOrder, retryOrder, settleOrder } from '../../src/orders/actions.ts'
import { ingestOrder } from '../../src/orders/ingest-order.ts'
import { getOrder } from '../../src/orders/read-orders.ts'
import { recordDestinationOrders } from '../../src/orders/shop/destination.ts'
import { readRevisions } from '../../src/orders/store.ts'
import { createServices, runJob, runningJob } from '../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { placeOrder } from './placed-order.ts'

for (const kind of kinds(t)) {
  t.test(`an order that a warehouse of the marketplace ships, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, database: { query } } = jobs
    const { enqueueJobs } = createServices(jobs, () => ({}))
    const options = { database, enqueueJobs }
    const ids = { operationId: 'operation', requestId: 'request' }
    const place = () => placeOrder(jobs, { fulfilment: 'elsewhere' })

    t.test('reserves nothing and follows no job, and says why in words that are no problem', async t => {
      const { orderId, jobs: followed, read } = await place()

      t.strictSame(followed, [])
      t.match(await read(), { status: 'elsewhere', problems: { length: 0 } })
      t.match(await getOrder(query, orderId), {
        reserved: 0,
        problems: { length: 0 },
        handledElsewhere: /warehouse of the marketplace ships it/
      })
    })

    t.test('is never made in the shop, neither by a retry nor by a later reading', async t => {
      const { orderId, market, read } = await place()
      const refused = { code: 'LNK_ORDER_STATE', message: /warehouse of the marketplace ships it/ }
      const { snapshot } = await read()
      const again = async (revision: string, more: object = {}) =>
        database.transaction(async transaction => ingestOrder(transaction, market, { ...snapshot, revision, ...more }))

      await t.rejects(retryOrder(options, orderId, ids), refused)
      await t.rejects(cancelOrder(options, orderId, ids), refused)
      t.match(await again('2'), { status: 'elsewhere', jobs: { length: 0 } })
      t.match(await again('3', { status: 'shipped' }), { status: 'shipped', jobs: { length: 0 } })
      t.match(await getOrder(query, orderId), { handledElsewhere: /warehouse/ })
    })

    t.test('gives up its pieces when only a later reading says so, also when it had failed', async t => {
      for (const status of ['ready', 'failed'] as const) {
        const { orderId, market, read, set } = await placeOrder(jobs)
        await set(`status = '${status}', problems = '[{"code": "not-created", "detail": "refused"}]'`)
        const { snapshot } = await read()
        const later = await database.transaction(async transaction =>
          ingestOrder(transaction, market, { ...snapshot, revision: '2', fulfilment: 'elsewhere' })
        )

        t.equal(later.status, 'elsewhere', status)
        t.match(await getOrder(query, orderId), { reserved: 0, problems: { length: 0 } })
      }
    })

    t.test('becomes an order of the shop when its seller ships it after all', async t => {
      const { market, read } = await place()
      const { externalId, snapshot: { fulfilment: _fulfilment, ...own } } = await read()
      t.equal((await readRevisions(query, market, [externalId])).get(externalId), own.revision, 'a sweep reads it once')

      const later = await database.transaction(async transaction =>
        ingestOrder(transaction, market, { ...own, revision: '2' })
      )
      t.equal(later.status, 'ready')
    })

    t.test('has a problem when the shop has it already, and can be cancelled there', async t => {
      const atShop = async () => {
        const order = await placeOrder(jobs)
        await order.putAtShop()
        const { snapshot } = await order.read()
        const reads = (revision: string, more: object = {}) =>
          database.transaction(async transaction =>
            ingestOrder(transaction, order.market, { ...snapshot, revision, fulfilment: 'elsewhere', ...more })
          )
        await reads('2')
        return { ...order, reads, problems: async () => (await order.read()).problems }
      }
      const { reads, problems, read, orderId, shop } = await atShop()
      t.match(await problems(), [{ code: 'elsewhere-at-shop', detail: /both may ship it/ }])
      t.match(await read(), { status: 'created' })
      await reads('3')
      t.match(await problems(), [{ code: 'elsewhere-at-shop' }])
      await settleOrder(options, orderId)
      await reads('4')
      t.strictSame(await problems(), [], 'a person saw to it')
      const { jobs: following } = await reads('5', { status: 'cancelled' })
      t.match(following.find(({ jobType }) => jobType === 'master.order.cancel'), { connectionId: shop })

      const byOperator = await atShop()
      await cancelOrder(options, byOperator.orderId, ids)
      t.match(await byOperator.read(), { status: 'cancelled' })

      const byStaff = await atShop()
      const shown = { ...(await byStaff.read()).snapshot, externalId: '77', status: 'cancelled' as const }
      await database.transaction(transaction => recordDestinationOrders(transaction, byStaff.shop, [shown]))
      t.strictSame(await byStaff.problems(), [], 'staff cancelled it in the shop')
      await byStaff.reads('3')
      t.strictSame(await byStaff.problems(), [])

      const back = await atShop()
      await back.reads('3', { fulfilment: 'seller' })
      t.strictSame(await back.problems(), [])
    })

    t.test('is looked for in the shop when an attempt may have made it there', async t => {
      const { orderId, market, read, set, shop } = await placeOrder(jobs)
      await set(`creation_begun_at = now(), handed_on = snapshot, destination_connection_id = '${shop}'`)
      const { snapshot } = await read()
      const { jobs: followed } = await database.transaction(async transaction =>
        ingestOrder(transaction, market, { ...snapshot, revision: '2', fulfilment: 'elsewhere' })
      )
      const [search, ...others] = followed.filter(({ jobType }) => jobType.startsWith('master.'))
      t.match(search, { jobType: 'master.order.create', connectionId: shop })
      t.strictSame(others, [])
      const services = createServices(jobs, () => ({
        OrderProcessorManager: {
          createOrder: () => t.fail('a warehouse of the marketplace ships it'),
          findOrder: () => ({ externalId: '79' })
        }
      }))
      await runJob(services, runningJob('master.order.create', shop, { orderId }))
      t.match(await read(), {
        status: 'created',
        destinationExternalId: '79',
        problems: [{ code: 'elsewhere-at-shop' }]
      })
    })

    t.test('writes no offer when it is cancelled', async t => {
      const { market, read } = await place()
      const { snapshot } = await read()
      const cancelled = await database.transaction(async transaction =>
        ingestOrder(transaction, market, { ...snapshot, revision: '2', status: 'cancelled' })
      )

      t.match(cancelled, { status: 'cancelled', jobs: { length: 0 } })
    })
  })
}
