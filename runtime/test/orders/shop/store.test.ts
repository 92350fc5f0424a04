import t from 'tap'
import {
  findMasters,
  markBegun,
  markCreated,
  markNotCreated,
  readUnsureMs,
  writeFromShop,
  writeUnsureMs
} from '../../../src/orders/shop/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { placeOrder } from '../placed-order.ts'

const handing = { order: orderOf('o'), isAbsent: false }
const problem = { code: 'not-created' as const, detail: 'no\0country' }

t.test('an order on its way to the shop', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('begins one attempt at a time, and keeps the time of the first', async t => {
    const { orderId, set, read } = await placeOrder(jobs)
    t.equal(await readUnsureMs(query, orderId), undefined)
    t.equal(await markBegun(query, orderId, handing), true)
    const { creationBegunAt } = await read()
    t.ok(creationBegunAt)
    t.equal(await markBegun(query, orderId, handing), false, 'the first may be under way')
    const unsureMs = await readUnsureMs(query, orderId) ?? 0
    t.ok(unsureMs > 110_000 && unsureMs <= 120_000, String(unsureMs))

    await writeUnsureMs(query, orderId, 5_000)
    t.ok((await readUnsureMs(query, orderId) ?? 0) <= 5_000)
    await writeUnsureMs(query, orderId, null)
    t.equal(await readUnsureMs(query, orderId), undefined)
    t.equal(await markBegun(query, orderId, handing), true)
    t.strictSame((await read()).creationBegunAt, creationBegunAt)

    await writeUnsureMs(query, orderId, null)
    for (const change of ["status = 'cancelled'", "status = 'ready', destination_external_id = '77'"]) {
      await set(change)
      t.equal(await markBegun(query, orderId, handing), false, change)
    }
  })

  t.test('has one master for all lines of one shop, and says whether the order came from there', async t => {
    const line = (externalId: string) => ({
      externalId,
      offerExternalId: 'offer-1',
      name: 'Mug',
      quantity: 1,
      unitPrice: { amount: '10.00', currency: 'PLN' }
    })
    const { orderId, shop, market } = await placeOrder(jobs, { lines: [line('1'), line('2')] })
    const capabilities = ['InventoryMaster', 'OrderProcessorManager']

    t.strictSame(await findMasters(query, orderId), [{ id: shop, capabilities, isSource: false }])
    await query('update products set connection_id = $1', [market])
    t.match(await findMasters(query, orderId), [{ id: market, isSource: true }])
  })

  t.test('fails only while it is ready, with the reason as far as it can be stored', async t => {
    const { orderId, set, read } = await placeOrder(jobs)
    await set("destination_external_id = '77'")
    t.equal(await markNotCreated(query, orderId, problem), false)
    await set('destination_external_id = null')
    t.equal(await markNotCreated(query, orderId, problem), true)
    t.strictSame((await read()).problems, [{ code: 'not-created', detail: 'no\ufffdcountry' }])
    t.equal(await markNotCreated(query, orderId, problem), false, 'it has failed')
  })

  t.test('keeps what the shop says of it', async t => {
    const { orderId, read } = await placeOrder(jobs)
    const tracking = { carrier: 'dpd', number: 'A' }
    await markCreated(query, orderId, '77', { status: 'created', problems: [], handedOn: null })
    await writeFromShop(query, orderId, 'shipped', { status: 'shipped', tracking, problems: [] })
    t.match(await read(), { status: 'shipped', destinationExternalId: '77', destinationStatus: 'shipped', tracking })

    const { snapshot } = await read()
    await writeFromShop(query, orderId, 'processing', { status: 'shipped', tracking: null, problems: [] })
    t.match(await read(), { destinationStatus: 'processing', tracking: null, sourceStatus: orderOf('o').status })
    t.strictSame((await read()).snapshot, snapshot)
  })
})
