import { randomUUID } from 'node:crypto'
import t from 'tap'
import { countLateOrders, listUnreadShops } from '../../../src/orders/late/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { placeOrder } from '../placed-order.ts'

t.test('orders and shops that are late', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('an order is late when it is older than the marketplace promises and not shipped', async t => {
    const { market, orderId } = await placeOrder(jobs)
    const late = (hours: number, id = market) => countLateOrders(query, [{ id, hours }], 10)
    await query("update orders set placed_at = now() - interval '30 hours', status = 'created' where id = $1", [
      orderId
    ])
    const [order] = await query<{ externalId: string }>(
      'select external_id as "externalId" from orders where id = $1',
      [orderId]
    )

    t.match(await late(24), [{ connectionId: market, hours: 24, count: 1, oldestExternalId: order?.externalId }])
    t.strictSame(await late(48), [])
    t.strictSame(await late(24, randomUUID()), [])
    t.strictSame(await countLateOrders(query, [], 10), [])
    for (const status of ['shipped', 'cancelled', 'elsewhere']) {
      await query('update orders set status = $2 where id = $1', [orderId, status])
      t.strictSame(await late(24), [], status)
    }
    await query("update orders set status = 'created', source_status = 'shipped' where id = $1", [orderId])
    t.strictSame(await late(24), [], 'it was shipped at the marketplace')
  })

  t.test('a shop is unread when polls of an hour ago did not succeed', async t => {
    const { shop, market } = await placeOrder(jobs)
    const unread = () => listUnreadShops(query, [shop, market])
    const poll = async (minutes: number, outcome: string | null, id = shop) =>
      query(
        `insert into jobs (id, idempotency_key, job_type, connection_id, payload, lane, object_key, created_at, due_at,
          state, outcome, died_at)
        values (gen_random_uuid(), gen_random_uuid()::text, 'master.orders.poll', $1, '{}', 'state',
          gen_random_uuid()::text, now() - interval '1 minute' * $2, now(),
          case when $3::text is null then 'queued' end, $3, case when $3 = 'dead' then now() end)`,
        [id, minutes, outcome]
      )
    const succeed = async (minutes: number) =>
      query(
        `insert into connection_cursors (connection_id, cursor_key, value, updated_at)
        values ($1, 'shop-orders', '{}', now() - interval '1 minute' * $2)
        on conflict (connection_id, cursor_key) do update set updated_at = excluded.updated_at`,
        [shop, minutes]
      )
    t.strictSame(await unread(), [], 'nobody has tried')
    await poll(90, 'dead', market)
    t.strictSame(await unread(), [], 'a marketplace is no shop')
    await poll(3 * 24 * 60, 'dead')
    t.strictSame(await unread(), [], 'nobody has tried for days')
    await poll(90, 'dead')
    t.match(await unread(), [{ connectionId: shop }])
    await succeed(80)
    t.strictSame(await unread(), [])
    await poll(59, null)
    t.strictSame(await unread(), [], 'not for an hour yet')
    await poll(70, 'succeeded')
    t.strictSame(await unread(), [])
    await poll(65, 'dead')
    t.match(await unread(), [{ connectionId: shop, since: String }])
  })
})
