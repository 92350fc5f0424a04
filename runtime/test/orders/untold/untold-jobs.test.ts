import t from 'tap'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { countUntoldOrders } from '../../../src/orders/untold/store.ts'
import { createServices, runJob, runningJob } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'

const setting = 'orderWriteBack'
const off = { skipped: `config.${setting} is off`, setting }
const tracking = { carrier: 'DPD', number: '123456' }

for (const kind of kinds(t)) {
  t.test(`orders that a setting keeps from their marketplace, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const { query } = database
    let isOff = true
    const told: unknown[] = []
    const write = (id: string, what: unknown) => {
      if (isOff) return off
      told.push([id, what])
      return undefined
    }
    const abilities = { OrderSource: { listUnread: () => [], updateOrderStatus: write, addTracking: write } }
    const services = createServices(jobs, () => abilities)
    t.beforeEach(() => {
      isOff = true
      told.length = 0
    })

    /** An order that the shop has shipped, of a marketplace whose jobs have told it so. */
    async function ship (market: string, externalId: string, status = 'shipped') {
      const { orderId } = await database.transaction(async transaction =>
        ingestOrder(transaction, market, orderOf(externalId))
      )
      await query('update orders set status = $2, tracking = $3 where id = $1', [
        orderId,
        status,
        JSON.stringify(tracking)
      ])
      await runJob(services, runningJob('marketplace.order.updateStatus', market, { orderId, status }))
      return orderId
    }
    const count = async (market: string) => countUntoldOrders(query, [market], 10)
    const setConfig = (market: string, config: object) =>
      query('update connections set config = $2 where id = $1', [market, JSON.stringify(config)])
    const poll = (market: string) => runJob(services, runningJob('marketplace.orders.poll', market))
    const made = (market: string) =>
      query<{ type: string, order: string }>(
        `select job_type as type, payload ->> 'orderId' as order from jobs
         where connection_id = $1 and job_type in ('marketplace.order.updateStatus', 'marketplace.order.addTracking')
         order by job_type desc, created_at`,
        [market]
      )

    t.test('are counted, with the setting and the time, and their history has the reason', async t => {
      const market = await jobs.addConnection()
      const orderId = await ship(market, 'o1')
      await ship(market, 'o2', 'delivered')
      await runJob(services, runningJob('marketplace.order.addTracking', market, { orderId }))

      t.match(await count(market), [{ connectionId: market, setting, count: 2, since: /^\d{4}-.*Z$/ }])
      t.strictSame(await countUntoldOrders(query, [market], 1).then(([first]) => first?.count), 1)
      t.match(
        await query("select detail from order_history where order_id = $1 and event = 'marketplace not told'", [
          orderId
        ]),
        [
          { detail: { method: 'updateOrderStatus', told: 'shipped', reason: off.skipped } },
          { detail: { method: 'addTracking', told: tracking } }
        ]
      )
    })

    t.test('are not counted when they are not shipped, known there or decided about', async t => {
      const market = await jobs.addConnection()
      await ship(market, 'cancelled', 'cancelled')
      t.strictSame(await count(market), [])

      const orderId = await ship(market, 'o1')
      await query("update orders set source_status = 'shipped' where id = $1", [orderId])
      t.strictSame(await count(market), [])

      await query("update orders set source_status = 'processing' where id = $1", [orderId])
      await setConfig(market, { [setting]: false })
      t.strictSame(await count(market), [])
    })

    t.test('are told by the next poll after the setting is on, unless the marketplace knows by now', async t => {
      const market = await jobs.addConnection()
      const orderId = await ship(market, 'o1')
      const known = await ship(market, 'o2')
      await query("update orders set source_status = 'shipped' where id = $1", [known])
      await poll(market)
      t.strictSame(await made(market), [], 'the setting has no value')
      await setConfig(market, { [setting]: true })
      isOff = false

      await poll(market)
      await poll(market)

      t.strictSame(await made(market), [
        { type: 'marketplace.order.updateStatus', order: orderId },
        { type: 'marketplace.order.addTracking', order: orderId }
      ])
      await setConfig(market, {})
      t.strictSame(await count(market), [])
    })

    t.test('are told their status too when the marketplace took the tracking number before the poll', async t => {
      const market = await jobs.addConnection()
      const orderId = await ship(market, 'o1')
      await setConfig(market, { [setting]: true })
      isOff = false
      await runJob(services, runningJob('marketplace.order.addTracking', market, { orderId }))
      t.strictSame(told, [['o1', tracking]])

      await poll(market)

      t.strictSame(await made(market), [
        { type: 'marketplace.order.updateStatus', order: orderId },
        { type: 'marketplace.order.addTracking', order: orderId }
      ])
    })
  })
}
