import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../../src/catalog/identity.ts'
import { recordReferences } from '../../../src/catalog/record-products.ts'
import { goneEvent } from '../../../src/orders/history-events.ts'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { attemptOf, cancelJob, cancelJobs, creationJob } from '../../../src/orders/shop/creation-jobs.ts'
import { addHistory } from '../../../src/orders/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { placeOrder } from '../placed-order.ts'

t.test('the job that makes an order in its shop', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  t.test('gets another attempt only when the one before has ended without the order', async t => {
    const { orderId, shop } = await placeOrder(jobs)
    const attempt = () => attemptOf(query, orderId, '7')
    const end = async () => {
      const [job] = await creationJob(query, orderId, await attempt())
      if (job !== undefined) await jobs.enqueueJobs([job])
      await query(
        `
          update jobs set state = null, command_order = null, outcome = 'succeeded', finished_at = now()
          where connection_id = $1`,
        [shop]
      )
    }
    t.equal(await attempt(), 'first')
    await end()
    t.equal(await attempt(), 'again-7')
    t.equal(await attemptOf(query, orderId, '8'), 'again-8', 'the order has changed')
    await end()
    t.equal(await attempt(), 'again-7', 'the same revision is not made twice')

    const lossId = await addHistory(query, orderId, goneEvent)
    t.equal(await attempt(), `again-7-back-${lossId}`)
    t.equal(await attemptOf(query, orderId, '8'), 'again-8')
  })

  t.test('goes to the shop that masters the variants, and the order says so', async t => {
    const { orderId, shop, read, set } = await placeOrder(jobs)
    await set('destination_connection_id = null')

    t.match(await creationJob(query, orderId, 'first', 'request'), [{
      jobType: 'master.order.create',
      connectionId: shop,
      payload: { orderId },
      idempotencyKey: `order-create:${orderId}:first`,
      requestId: 'request'
    }])
    t.match(await read(), { status: 'ready', destinationConnectionId: shop })
  })

  t.test('is not made when no single shop can get the order, and the order fails', async t => {
    const changes: Record<string, (order: Awaited<ReturnType<typeof placeOrder>>) => Promise<unknown>> = {
      async 'several shops' ({ orderId, variantIdOf: idOf }) {
        const other = await jobs.addConnection()
        await recordReferences(database, [{ connectionId: other, productExternalId: 'p', variantExternalId: 'v' }])
        const line = 'insert into order_lines (order_id, external_id, variant_id, quantity) values ($1, $2, $3, 1)'
        await query(line, [orderId, '2', idOf('offer-1')])
        await query(line, [orderId, '3', variantIdOf(other, 'p', 'v')])
      },
      'no shop can get the order': ({ market }) => query('update products set connection_id = $1', [market]),
      OrderProcessorManager: ({ shop }) =>
        query('update connections set capabilities = $2 where id = $1', [shop, '["InventoryMaster"]']),
      'has no lines': ({ orderId }) => query('delete from order_lines where order_id = $1', [orderId])
    }
    for (const [name, change] of Object.entries(changes)) {
      const order = await placeOrder(jobs)
      await change(order)
      t.strictSame(await creationJob(query, order.orderId, 'first'), [], name)
      const problems = [{ code: 'not-created', detail: new RegExp(name) }]
      t.match(await order.read(), { status: 'failed', problems }, name)
      t.equal((await order.events()).at(-1), 'failed', name)
      await jobs.clear()
    }
  })

  t.test('a cancellation asks the shop for what it has, or may have', async t => {
    const order = {
      id: randomUUID(),
      destinationConnectionId: 'shop',
      destinationExternalId: null,
      creationBegunAt: null,
      searchedSince: null
    }

    t.strictSame(await cancelJobs(query, order), [])
    const atShop = { ...order, destinationExternalId: '77' }
    t.strictSame(await cancelJobs(query, atShop, 'request'), [cancelJob(atShop, 'request')])
    t.match(cancelJob(atShop), {
      jobType: 'master.order.cancel',
      connectionId: 'shop',
      idempotencyKey: `order-cancel:${order.id}`
    })
    for (const reason of ['creationBegunAt', 'searchedSince'] as const) {
      t.match(await cancelJobs(query, { ...order, [reason]: new Date() }), [{
        jobType: 'master.order.create',
        connectionId: 'shop',
        payload: { orderId: order.id },
        idempotencyKey: `order-create:${order.id}:cancelled`
      }], reason)
    }
  })

  t.test('a cancellation finds the shop that may have the order when the hub does not know it', async t => {
    const { orderId, shop, market, read, set } = await placeOrder(jobs)
    await set("destination_connection_id = null, searched_since = now(), status = 'cancelled'")

    t.match(await cancelJobs(query, await read()), [{ jobType: 'master.order.create', connectionId: shop }])
    t.match(await read(), { status: 'cancelled', destinationConnectionId: shop, problems: [] })

    await set('destination_connection_id = null')
    await query('update products set connection_id = $1', [market])
    t.strictSame(await cancelJobs(query, await read()), [], 'no shop can have it')
    t.match(await read(), { destinationConnectionId: null, problems: [] })

    const other = await jobs.addConnection()
    await recordReferences(database, [{ connectionId: other, productExternalId: 'p', variantExternalId: 'v' }])
    await query('insert into order_lines (order_id, external_id, variant_id, quantity) values ($1, $2, $3, 1)', [
      orderId,
      '2',
      variantIdOf(other, 'p', 'v')
    ])
    t.strictSame(await cancelJobs(query, await read()), [], 'nobody knows which one has it')
    t.match(await read(), { problems: [{ code: 'not-cancelled-in-shop', detail: /several shops/ }] })
  })

  t.test('a cancellation asks the only shop when the variants were mapped after the backup', async t => {
    const lines = orderOf('').lines.map(line => ({ ...line, offerExternalId: 'not-linked' }))
    const { orderId, shop, market, read, set } = await placeOrder(jobs, { lines })
    await query("update connections set capabilities = '[]' where id <> $1", [shop])
    const cancelled = { ...orderOf((await read()).externalId, { lines }), status: 'cancelled', revision: '2' } as const
    const cancel = () => database.transaction(transaction => ingestOrder(transaction, market, cancelled))

    t.match(await read(), { status: 'awaiting_mapping', destinationConnectionId: null })
    await set('searched_since = now()')
    const { jobs: following } = await cancel()
    t.match(following.filter(({ jobType }) => jobType === 'master.order.create'), [{
      connectionId: shop,
      payload: { orderId },
      idempotencyKey: `order-create:${orderId}:cancelled`
    }])
    t.match(await read(), { status: 'cancelled', destinationConnectionId: shop, problems: [] })

    await set('destination_connection_id = null')
    const other = await jobs.addConnection()
    const accept = 'update connections set capabilities = $2 where id = any($1::uuid[])'
    await query(accept, [[other], '["OrderProcessorManager"]'])
    t.strictSame(await cancelJobs(query, await read()), [], 'nobody knows which one has it')
    t.match(await read(), {
      destinationConnectionId: null,
      problems: [{ code: 'not-cancelled-in-shop', detail: /several shops/ }]
    })

    await set("problems = '[]'")
    await query(accept, [[shop, other], '[]'])
    t.strictSame(await cancelJobs(query, await read()), [], 'no shop can have it')
    t.match(await read(), { destinationConnectionId: null, problems: [] })
  })
})
