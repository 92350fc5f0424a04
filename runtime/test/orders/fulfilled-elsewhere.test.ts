import t from 'tap'
import { cancelOrder, retryOrder } from '../../src/orders/actions.ts'
import { ingestOrder } from '../../src/orders/ingest-order.ts'
import { getOrder } from '../../src/orders/read-orders.ts'
import { readRevisions } from '../../src/orders/store.ts'
import { createServices } from '../handlers/fake-adapter.ts'
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
