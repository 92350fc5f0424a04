import type { Tracking } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Transaction } from '../../../src/database/database.ts'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { recordShipment } from '../../../src/orders/shipments/shipments.ts'
import { recordDestinationOrders } from '../../../src/orders/shop/destination.ts'
import { createServices } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'

const parcel = (number: string, carrier = 'dpd'): Tracking => ({ carrier, number })
type RecordChange = (transaction: Transaction) => ReturnType<typeof recordShipment>

for (const kind of kinds(t)) {
  t.test(`the parcel of an order, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, addConnection } = jobs
    const { enqueueJobs } = createServices(jobs, () => ({}))

    /** Opens an order that the shop has. */
    async function openOrder () {
      const [shop, market] = [await addConnection(), await addConnection()]
      const { orderId } = await database.transaction(async transaction =>
        ingestOrder(transaction, market, orderOf('o1'))
      )
      await database.query(
        `
        update orders set status = 'created', destination_connection_id = $2, destination_external_id = '77'
        where id = $1`,
        [orderId, shop]
      )
      const store = async (record: RecordChange) =>
        database.transaction(async transaction => {
          const wanted = await record(transaction)
          const enqueued = await enqueueJobs(wanted, transaction)
          return enqueued.flatMap(({ isNew }, index) => isNew ? [wanted[index]?.jobType] : [])
        })
      return {
        /** Returns the types of the new jobs. */
        shopSays: async (tracking: Tracking) =>
          store(async transaction =>
            (await recordDestinationOrders(transaction, shop, [orderOf('77', { tracking })])).jobs
          ),
        carrierSays: async (tracking: Tracking) => {
          await database.query(
            `
            insert into shipments (order_id, connection_id, status)
            values ($1, $2, 'requested')
            on conflict do nothing`,
            [orderId, await addConnection()]
          )
          return store(transaction => recordShipment(transaction, orderId, { externalId: randomUUID(), tracking }))
        },
        tracking: async () =>
          (await database.query<{ tracking: Tracking }>('select tracking from orders where id = $1', [orderId]))[0]
            ?.tracking
      }
    }

    t.test('is told to the marketplace at every change, also when it changes back', async t => {
      const { shopSays, tracking } = await openOrder()
      const withUrl = { ...parcel('A', 'inpost'), url: 'https://inpost.example/A' }
      for (const said of [parcel('A'), parcel('B'), parcel('A'), parcel('A', 'inpost'), withUrl]) {
        t.strictSame(await shopSays(said), ['marketplace.order.addTracking'], JSON.stringify(said))
        t.strictSame(await shopSays(said), [], 'once')
        t.strictSame(await tracking(), said)
      }
    })

    t.test('is told to shop and marketplace when the hub made it; only a new number changes it', async t => {
      const { shopSays, carrierSays, tracking } = await openOrder()
      t.strictSame(await carrierSays(parcel('A', 'parcelo')), [
        'marketplace.order.addTracking',
        'master.order.addTracking'
      ])
      t.strictSame(await shopSays(parcel('A', 'the carrier of the shop')), [])
      t.strictSame(await tracking(), parcel('A', 'parcelo'))

      t.strictSame(await shopSays(parcel('B')), ['marketplace.order.addTracking'])
      t.strictSame(await carrierSays(parcel('A', 'parcelo')), [
        'marketplace.order.addTracking',
        'master.order.addTracking'
      ], 'made again')
    })
  })
}
