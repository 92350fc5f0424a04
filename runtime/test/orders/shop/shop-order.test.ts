import t from 'tap'
import { storeCancelledInShop, storeCreatedInShop, storeNotCreated } from '../../../src/orders/shop/shop-order.ts'
import { readHistory } from '../../../src/orders/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { placeOrder } from '../placed-order.ts'

// A quotation mark in SQL is doubled.
const problemsSql = `problems = '[
  {"code": "not-created", "detail": "no country"},
  {"code": "shared-lines", "detail": "as order 2"},
  {"code": "connection-deleted", "detail": "connection ''market'' was deleted"}
]'`
const shared = { code: 'shared-lines', detail: 'as order 2' }
const deleted = { code: 'connection-deleted', detail: "connection 'market' was deleted" }

t.test('what became of an order in its shop', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('a made order keeps only problems of shared lines and deletions, beside those of the shop', async t => {
    const { orderId, set, read } = await placeOrder(jobs)
    await set(problemsSql)
    await storeCreatedInShop(query, await read(), { externalId: '77', problems: ['another total\0'] })

    t.match(await read(), { status: 'created', destinationExternalId: '77' })
    t.strictSame((await read()).problems, [shared, deleted, { code: 'shop-reported', detail: 'another total\ufffd' }])
    t.match((await readHistory(query, orderId)).at(-1), { event: 'created', detail: { externalId: '77' } })
  })

  t.test('an order that was cancelled meanwhile stays cancelled, and is known in the shop', async t => {
    const { orderId, set, read } = await placeOrder(jobs)
    await set("status = 'cancelled'")
    await storeCreatedInShop(query, await read(), { externalId: '77' })

    t.match(await read(), { status: 'cancelled', destinationExternalId: '77' })
    t.strictSame((await read()).problems, [])
    t.strictSame((await readHistory(query, orderId)).at(-1)?.detail, { externalId: '77' })
  })

  t.test('an id of the shop that another order has already is refused, and nothing is stored', async t => {
    const first = await placeOrder(jobs)
    await first.putAtShop()
    const second = await placeOrder(jobs)
    await second.set(`destination_connection_id = '${first.shop}'`)
    const before = await second.read()

    await t.rejects(storeCreatedInShop(query, before, { externalId: '77' }), {
      code: 'LNK_SHOP_ORDER_TAKEN',
      message: `The shop gave the order the id '77', which belongs to order '${first.orderId}' of the hub already`
    })
    t.strictSame(await second.read(), before)
    await storeCreatedInShop(query, before, { externalId: '78' })
    t.match(await second.read(), { status: 'created', destinationExternalId: '78' })
    await storeCreatedInShop(query, await second.read(), { externalId: '78' })
  })

  t.test('an order fails when its shop does not make it, unless it is made or cancelled meanwhile', async t => {
    const refused = { code: 'LNK_ADAPTER_REJECTED', message: 'no country' }
    const failed = await placeOrder(jobs)
    await failed.set(problemsSql)
    await storeNotCreated(query, failed.orderId, refused)
    t.equal((await failed.read()).status, 'failed')
    t.strictSame((await failed.read()).problems, [deleted, { code: 'not-created', detail: 'no country' }])
    t.match((await readHistory(query, failed.orderId)).at(-1), { event: 'failed', detail: { code: refused.code } })

    const others = ["status = 'cancelled'", "destination_external_id = '77'"]
    for (const change of others) {
      const { orderId, set, read, events } = await placeOrder(jobs)
      await set(change)
      const [before, eventsBefore] = [await read(), await events()]
      await storeNotCreated(query, orderId, refused)
      t.strictSame([await read(), await events()], [before, eventsBefore], change)
    }
  })

  t.test('a cancellation in the shop leaves the status of the hub alone', async t => {
    const { orderId, putAtShop, read, events } = await placeOrder(jobs)
    await putAtShop()
    await storeCancelledInShop(query, orderId)

    t.match(await read(), { status: 'created', destinationStatus: 'cancelled' })
    t.equal((await events()).at(-1), 'cancelled in the shop')
  })
})
