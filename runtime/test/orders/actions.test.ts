import type { Order } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { cancelOrder, recordCancelledByShop, releaseOrder, retryOrder, settleOrder } from '../../src/orders/actions.ts'
import { ingestOrder } from '../../src/orders/ingest-order.ts'
import { insertShipment } from '../../src/orders/shipments/store.ts'
import { createServices } from '../handlers/fake-adapter.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { placeOrder } from './placed-order.ts'
import { readStock } from './sale.ts'

const propagation = 'inventory.propagateToMarketplaces'
const quantity = 'marketplace.offerQuantity.update'
const telling = 'marketplace.order.updateStatus'

t.test('what an operator does with an order', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database
  const { enqueueJobs } = createServices(jobs, () => ({}))
  const options = { database, enqueueJobs }
  const request = (operationId: string = randomUUID()) => ({ operationId, requestId: 'request' })
  const typesOf = async (ids: readonly string[]) =>
    (await query<{ type: string }>('select job_type as type from jobs where id = any($1) order by 1', [ids]))
      .map(({ type }) => type)
  const end = (type: string, outcome: string) =>
    query(
      `
        update jobs set state = null, command_order = null, outcome = $2, finished_at = now()
        where job_type = $1 and outcome is null`,
      [type, outcome]
    )

  t.test('a retry reads an order again that waits for its variant', async t => {
    const { orderId, market, set, read, events } = await placeOrder(jobs)
    await set("status = 'awaiting_mapping'")
    const before = await events()
    const ids = await retryOrder(options, orderId, request())

    t.match(await query('select job_type, connection_id, payload from jobs where id = any($1)', [ids]), [{
      job_type: 'marketplace.order.syncByExternalId',
      connection_id: market,
      payload: { externalId: (await read()).externalId }
    }])
    t.strictSame(await events(), before)
  })

  t.test('a retry takes an order that is left to others, and its next reading makes it', async t => {
    const { orderId, market, read, set, events } = await placeOrder(jobs)
    const since = '2100-01-01T00:00:00.000Z'
    await query('update connections set orders_since = $2 where id = $1', [market, since])
    const problems = JSON.stringify([{ code: 'placed-before', detail: 'too old' }])
    await set(`status = 'elsewhere', problems = '${problems}'`)
    const [order] = await query<{ snapshot: Order }>('select snapshot from orders where id = $1', [orderId])
    const reread = async () => {
      if (order === undefined) throw new Error('there is no order')
      return database.transaction(transaction => ingestOrder(transaction, market, order.snapshot))
    }

    t.match(await reread(), { orderId, status: 'elsewhere' })
    const ids = await retryOrder(options, orderId, request())
    t.match(await query('select job_type as type from jobs where id = any($1)', [ids]), [
      { type: 'marketplace.order.syncByExternalId' }
    ])
    t.match(await read(), { status: 'pending', problems: [] })
    t.match((await events()).at(-1), 'retried')
    t.match(await reread(), { orderId, status: 'ready', jobs: { length: 2 } })
  })

  t.test('a retry makes a failed order ready, once for each request', async t => {
    const { orderId, set, read, events } = await placeOrder(jobs)
    const deleted = { code: 'connection-deleted', detail: 'gone' }
    const problems = JSON.stringify([{ code: 'not-created', detail: 'no' }, deleted])
    await set(`status = 'failed', problems = '${problems}'`)
    const same = request()
    const ids = await retryOrder(options, orderId, same)

    t.strictSame(await typesOf(ids), ['master.order.create'])
    t.equal((await read()).status, 'ready')
    t.strictSame((await read()).problems, [deleted])
    t.strictSame(await retryOrder(options, orderId, same), ids)
    t.equal((await events()).filter(event => event === 'retried').length, 1)
    t.notSame(await retryOrder(options, orderId, request()), ids)
  })

  t.test('an order in another state has nothing to retry, and an unknown one is not found', async t => {
    const { orderId, set } = await placeOrder(jobs)
    for (const status of ['pending', 'created', 'shipped', 'cancelled']) {
      await set(`status = '${status}'`)
      await t.rejects(retryOrder(options, orderId, request()), { code: 'LNK_ORDER_STATE', message: status })
    }
    for (const act of [retryOrder, releaseOrder, cancelOrder]) {
      await t.rejects(act(options, randomUUID(), request()), { code: 'LNK_ORDER_NOT_FOUND' })
    }
  })

  t.test('what a person saw to is settled, unless the order waits for it', async t => {
    const { orderId, read, set, events } = await placeOrder(jobs)
    const problems = JSON.stringify([{ code: 'gone', detail: 'nobody knows it' }])
    await set(`status = 'created', problems = '${problems}'`)
    await settleOrder(options, orderId)
    t.strictSame((await read()).problems, [])
    t.equal((await events()).at(-1), 'settled')
    const before = await events()
    await settleOrder(options, orderId)
    t.strictSame(await events(), before)

    for (const status of ['failed', 'awaiting_mapping', 'elsewhere']) {
      await set(`status = '${status}', problems = '${problems}'`)
      await t.rejects(settleOrder(options, orderId), { code: 'LNK_ORDER_STATE', message: status })
      t.equal((await read()).problems.length, 1)
    }
    await t.rejects(settleOrder(options, randomUUID()), { code: 'LNK_ORDER_NOT_FOUND' })
  })

  t.test('a cancellation gives the pieces back, writes the offers again and tells the marketplace', async t => {
    const { orderId, read, events, variantIdOf } = await placeOrder(jobs)
    const ids = await cancelOrder(options, orderId, request())

    t.strictSame(await typesOf(ids), [propagation, quantity, telling])
    t.match(await read(), { status: 'cancelled' })
    t.match(await readStock(jobs, variantIdOf('offer-1')), { reserved: 0 })
    t.equal((await events()).at(-1), 'cancelled')
  })

  t.test('a cancellation reaches the shop and the carrier that may have the order', async t => {
    const atShop = await placeOrder(jobs)
    await atShop.putAtShop()
    await insertShipment(query, { orderId: atShop.orderId, connectionId: atShop.shop, problem: undefined })
    const unsure = await placeOrder(jobs)
    await unsure.set('creation_begun_at = now()')

    const ids = await cancelOrder(options, atShop.orderId, request())
    t.strictSame((await typesOf(ids)).filter(type => ![propagation, quantity, telling].includes(type)), [
      'fulfilment.shipment.cancel',
      'master.order.cancel'
    ])
    t.ok((await typesOf(await cancelOrder(options, unsure.orderId, request()))).includes('master.order.create'))
  })

  t.test('an order that is on its way or back cannot be cancelled', async t => {
    const { orderId, set, read } = await placeOrder(jobs)
    for (const status of ['shipped', 'delivered', 'returned']) {
      await set(`status = '${status}'`)
      await t.rejects(cancelOrder(options, orderId, request()), { code: 'LNK_ORDER_STATE', message: status })
      t.equal((await read()).status, status)
    }
  })

  t.test('a second cancellation repeats only what did not succeed', async t => {
    const { orderId, putAtShop, set, events } = await placeOrder(jobs)
    await putAtShop()
    const first = await cancelOrder(options, orderId, request())
    const again = async () => {
      const ids = await cancelOrder(options, orderId, request())
      return { types: await typesOf(ids), isNew: ids.some(id => !first.includes(id)) }
    }
    t.strictSame(await again(), { types: ['master.order.cancel'], isNew: false }, 'both jobs are still to run')

    await end('master.order.cancel', 'succeeded')
    await end(telling, 'succeeded')
    t.strictSame(await again(), { types: ['master.order.cancel'], isNew: true }, 'the shop still has the order')
    await set("destination_status = 'cancelled'")
    t.strictSame(await again(), { types: ['master.order.cancel'], isNew: false })

    await query("update jobs set outcome = 'dead' where job_type = $1", [telling])
    t.strictSame(await again(), { types: [telling, 'master.order.cancel'], isNew: true })
    t.equal((await events()).filter(event => event === 'cancelled').length, 1)
  })

  t.test('a cancellation keeps an order from coming back that was gone', async t => {
    const { orderId, set, read, events } = await placeOrder(jobs)
    await set("status = 'cancelled', source_status = 'gone'")
    await cancelOrder(options, orderId, request())

    t.match(await read(), { status: 'cancelled', sourceStatus: 'processing' })
    t.equal((await events()).at(-1), 'cancelled')
  })

  t.test('an order ends that the shop cancelled and that was not shipped meanwhile', async t => {
    const { orderId, set, putAtShop, read, events } = await placeOrder(jobs)
    const record = async () =>
      (await database.transaction(transaction => recordCancelledByShop(transaction, orderId)))
        .map(({ jobType }) => jobType)
    t.strictSame(await record(), [])
    await putAtShop()
    await set("destination_status = 'cancelled', status = 'shipped'")
    t.strictSame(await record(), [])
    t.match(await read(), { status: 'shipped' })

    await set("status = 'created'")
    t.strictSame((await record()).toSorted(), ['inventory.propagateToMarketplaces', quantity])
    t.match(await read(), { status: 'cancelled' })
    t.equal((await events()).at(-1), 'cancelled')
    t.strictSame(await record(), [])
  })
})
