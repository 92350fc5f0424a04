import { randomUUID } from 'node:crypto'
import t from 'tap'
import { removeTextsOf, storeIgnored } from '../../../src/events/store.ts'
import { ingestOrder, orderIdOf } from '../../../src/orders/ingest-order.ts'
import { createOrderAtShop, syncOrder } from '../../../src/orders/jobs.ts'
import { forgetOldOrders } from '../../../src/orders/personal-data/forget-old.ts'
import { forgetOrder } from '../../../src/orders/personal-data/forget-order.ts'
import { getOrder } from '../../../src/orders/read-orders.ts'
import { recordDestinationOrders } from '../../../src/orders/shop/destination.ts'
import { addHistory } from '../../../src/orders/store.ts'
import { createServices } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { placeOrder, type PlacedOrder } from '../placed-order.ts'
import { buyerData, buyerOrder, canary } from './buyer-order.ts'

const selectTexts = `
  select to_jsonb(orders)::text as text from orders where id = $1
  union all
  select to_jsonb(order_history)::text from order_history where order_id = $1
  union all
  select to_jsonb(shipments)::text from shipments where order_id = $1
  union all
  select jobs::text from jobs where object_key like '%' || $1::text or object_key like '%' || $2
  union all
  select audit_entries::text from audit_entries where object_id = $1::text
  union all
  select ignored_events::text from ignored_events where event like '%' || $2 || '%'`

for (const kind of kinds(t)) {
  t.test(`the data of buyers, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const { query } = database
    const { enqueueJobs } = createServices(jobs, () => ({}))
    const options = {
      database,
      orderJobTypesOf: () => ['market.order.syncByExternalId'],
      removeEventTexts: removeTextsOf
    }
    const forget = (id: string, isDryRun = false) => forgetOrder(options, id, isDryRun)
    const daysAgo = (days: number): string =>
      `ended_at = now() - interval '${days} days', updated_at = now() - interval '${days} days'`

    /** Places an order that the shop has, with data of its buyer in every place. */
    async function placeSold () {
      const placed = await placeOrder(jobs, buyerData)
      return prepare(placed)
    }

    async function prepare (placed: PlacedOrder) {
      const { orderId, market, shop } = placed
      const { externalId } = await placed.read()
      await placed.putAtShop()
      await addHistory(query, orderId, 'created', { externalId: '77', problems: [canary] })
      const number = JSON.stringify({ carrier: 'C', number: canary })
      await query(
        `insert into shipments (order_id, connection_id, status, tracking, problem) values ($1, $2, 'created', $3, $4)`,
        [orderId, shop, number, canary]
      )
      await placed.set(`tracking = '${number}', problems = '[{"code": "shop-reported", "detail": "${canary}"}]'`)
      await enqueueJobs([
        createOrderAtShop.request({ orderId }, { connectionId: shop, key: randomUUID() }),
        syncOrder.request({ externalId }, { connectionId: market, key: randomUUID() }),
        {
          jobType: 'market.order.syncByExternalId',
          connectionId: market,
          payload: { externalId, note: canary },
          idempotencyKey: randomUUID()
        }
      ])
      await query(
        `
        update jobs set state = null, due_at = null, command_order = null, outcome = 'dead', died_at = now(),
          finished_at = now(), problem = '{"code": "LNK_X", "message": "${canary}"}', result = '"${canary}"',
          attempts = '[{"startedAt": "1", "error": {"code": "LNK_X", "message": "${canary}"}}]'
        where connection_id = any($1::uuid[]) and state is not null`,
        [[market, shop]]
      )
      const event = { provider: 'market', connectionId: market, eventId: randomUUID(), eventType: 'order.noted' }
      await storeIgnored(query, [{
        ...event,
        deliveryId: randomUUID(),
        reason: 'unknown event type',
        event: JSON.stringify({ ...event, externalId }),
        message: JSON.stringify({ payloadJson: canary })
      }], 1_048_576)
      const read = (status: 'processing' | 'delivered') =>
        database.transaction(transaction =>
          ingestOrder(transaction, market, buyerOrder(externalId, { status, revision: randomUUID() }))
        )
      return {
        ...placed,
        externalId,
        readAs: read,
        texts: async () => (await query<{ text: string }>(selectTexts, [orderId, externalId])).map(({ text }) => text)
      }
    }

    t.test('go from every place of an order that has ended, and only then', async t => {
      const { orderId, set, texts, read } = await placeSold()
      await t.rejects(forget(orderId), { code: 'LNK_ORDER_STATE', message: /is created: the hub needs the data/ })
      t.match(await forget(orderId, true), { deleted: false, obstacles: [{ code: 'open' }] })

      await set("status = 'delivered'")
      const planned = await forget(orderId, true)
      t.match(planned, { deleted: false, obstacles: { length: 0 }, personalDataRemovedAt: null })
      t.match((await texts()).join(), canary)
      const done = await forget(orderId)
      t.match(done, { deleted: true, obstacles: [], removed: planned.removed })
      t.match(done.removed, [
        { what: 'e-mail address and id of the buyer', count: 2 },
        { what: 'addresses', count: 2 },
        { what: 'pickup points', count: 1 },
        { what: 'comments', count: 1 },
        { what: 'tracking numbers', count: 2 },
        { what: 'texts of problems', count: 1 },
        { what: 'details of history entries', count: 1 },
        { what: 'texts of ended jobs', count: 3 }
      ])

      t.notMatch((await texts()).join(), canary)
      const view = await getOrder(query, orderId)
      t.match(view, { status: 'delivered', total: { amount: '10.00' }, lines: [{ quantity: 1 }], tracking: null })
      t.equal(view.personalDataRemovedAt, done.personalDataRemovedAt)
      t.match(view.history, [{ event: 'ingested' }, { event: 'created', detail: { externalId: '77' } }])
      t.match(await forget(orderId), {
        personalDataRemovedAt: done.personalDataRemovedAt,
        removed: { length: 0 }
      }, 'once')
      const entries = await query("select id from audit_entries where action = 'order.forget' and object_id = $1", [
        orderId
      ])
      t.equal(entries.length, 1, 'a repetition that finds nothing is no change')
      t.equal((await read()).destinationExternalId, '77')
    })

    t.test('stay away when the marketplace and the shop show the order again', async t => {
      const { orderId, shop, set, texts, readAs } = await placeSold()
      await set("status = 'delivered'")
      await forget(orderId)
      await readAs('delivered')
      await readAs('processing')
      await database.transaction(transaction =>
        recordDestinationOrders(transaction, shop, [buyerOrder('77', { status: 'delivered' })])
      )

      t.notMatch((await texts()).join(), canary)
      t.not((await getOrder(query, orderId)).personalDataRemovedAt, null)
    })

    t.test('come back with an order that was gone and is open again: the shop needs the address', async t => {
      const placed = await placeOrder(jobs, buyerData)
      const { externalId } = await placed.read()
      await query('update jobs set state = null, due_at = null, command_order = null')
      await placed.set("status = 'cancelled', source_status = 'gone'")
      await forget(placed.orderId)
      await database.transaction(transaction => ingestOrder(transaction, placed.market, buyerOrder(externalId)))

      t.match(await placed.read(), { status: 'ready', personalDataRemovedAt: null, snapshot: { comment: canary } })
    })

    t.test('stay while a command of the order has not ended', async t => {
      const { orderId, shop, set } = await placeSold()
      await set(`status = 'shipped', ${daysAgo(200)}`)
      await enqueueJobs([createOrderAtShop.request({ orderId }, { connectionId: shop, key: randomUUID() })])

      await t.rejects(forget(orderId), { code: 'LNK_ORDER_STATE', message: /master\.order\.create.* has not ended/ })
      t.match(await forget(orderId, true), { obstacles: [{ code: 'job-not-ended' }] })
      t.equal(await forgetOldOrders(options, 180), 0)
    })

    t.test('go by themselves when their time is over', async t => {
      await query('delete from jobs')
      await query("update orders set status = 'created', personal_data_removed_at = null")
      const [old, young, before] = [await placeSold(), await placeSold(), await placeSold()]
      await old.set(`status = 'cancelled', ${daysAgo(181)}`)
      await young.set(`status = 'cancelled', ${daysAgo(179)}`)
      // As a hub before this one left it.
      await before.set("status = 'delivered', ended_at = null, updated_at = now() - interval '181 days'")

      t.equal(await forgetOldOrders(options, 180), 2)
      t.notMatch((await old.texts()).join(), canary)
      t.notMatch((await before.texts()).join(), canary)
      t.match((await young.texts()).join(), canary)
      t.equal(await forgetOldOrders(options, 180), 0)
    })

    t.test('a hundred orders at a time, and all of them', async t => {
      const placed = await placeSold()
      await placed.set("status = 'created'")
      await query(
        `
        insert into orders (
          id, connection_id, external_id, status, source_status, revision, snapshot, problems, placed_at, created_at,
          updated_at, ended_at
        )
        select gen_random_uuid(), connection_id, 'copy ' || n, 'delivered', 'delivered', '1', snapshot, '[]', placed_at,
          created_at, updated_at, now() - interval '200 days'
        from orders, generate_series(1, 250) as n
        where id = $1`,
        [placed.orderId]
      )

      t.equal(await forgetOldOrders(options, 180), 250)
      t.strictSame(
        await query("select from orders where external_id like 'copy %' and snapshot::text like '%Canary%'"),
        []
      )
    })

    t.test('an order has one time of its end for each status', async t => {
      const placed = await placeSold()
      const endedAt = async () =>
        (await query<{ endedAt: string | null }>('select ended_at as "endedAt" from orders where id = $1', [
          orderIdOf(placed.market, placed.externalId)
        ]))[0]?.endedAt
      t.equal(await endedAt(), null)
      await placed.readAs('delivered')
      const first = await endedAt()
      await placed.readAs('delivered')

      t.type(first, 'string')
      t.equal(await endedAt(), first)
    })
  })
}
