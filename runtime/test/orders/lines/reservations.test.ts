import t from 'tap'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { createServices, runJob, runningJob } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { openSale } from '../sale.ts'

for (const kind of kinds(t)) {
  t.test(`the hourly comparison of a marketplace, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /** Opens a marketplace with an offer of a variant. Orders reserve two pieces of it. */
    async function openMarket () {
      const { market, variantIdOf } = await openSale(jobs)
      const [variantId, other] = [variantIdOf('offer-1'), await jobs.addConnection()]
      const place = (externalId: string) =>
        jobs.database.transaction(async transaction => {
          return ingestOrder(transaction, market, orderOf(externalId, { status: 'pending' }))
        })
      const [{ orderId }] = [await place('o1'), await place('o2')]
      const services = createServices(jobs, () => ({ Marketplace: { listOffers: () => ({ items: [] }) } }))
      const compare = (connectionId = market) => {
        return runJob(services, runningJob('marketplace.offers.sync', connectionId))
      }
      return { variantId, orderId, other, compare }
    }

    t.test('does not report pieces that orders reserve', async t => {
      const { compare } = await openMarket()
      t.notOk('unexplained' in ((await compare()).result as object))
      t.strictSame(jobs.log.entries, [])
    })

    t.test('names an offered variant of which more is reserved than the orders explain', async t => {
      const { variantId, orderId, other, compare } = await openMarket()
      await query("update orders set status = 'cancelled' where id = $1", [orderId])
      const before = jobs.log.entries.length
      const unexplained = [{ variantId, reserved: 2, explained: 1, orders: [orderId] }]
      t.match((await compare()).result, { unexplained })
      t.match(jobs.log.entries.slice(before), [{ level: 'warn', fields: unexplained[0] }])

      await query('update order_lines set is_reserved = false')
      t.match((await compare()).result, {
        unexplained: [{ variantId, reserved: 2, explained: 0, orders: { length: 0 } }]
      })
      t.notOk('unexplained' in ((await compare(other)).result as object))
    })
  })
}
