import { RejectedError, type Order } from '@linker/sdk'
import t from 'tap'
import type { JobRequest } from '../../../src/jobs/job.ts'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { recordDestinationOrders } from '../../../src/orders/shop/destination.ts'
import { createServices, runJob, runningJob } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { openSale } from '../sale.ts'
import { problemDetails } from '../statements.ts'

type Tell = (() => unknown) | null
const shopOnly = 'it was cancelled in the shop, not at the marketplace'

for (const kind of kinds(t)) {
  t.test(`an order that the shop cancels, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /**
     * Opens an order that the shop has. `tell`: the marketplace's answer when the hub tells it the
     * status; null: its adapter lacks the method.
     */
    async function openOrder ({ isWanted = true, tell = () => undefined }: { isWanted?: boolean, tell?: Tell } = {}) {
      const { shop, market } = await openSale(jobs)
      await query('update connections set config = $2 where id = $1', [market, { cancelOrdersWithShop: isWanted }])
      const { orderId } = await jobs.database.transaction(async transaction => {
        return ingestOrder(transaction, market, orderOf('o1'))
      })
      await query(
        `
        update orders set status = 'created', destination_connection_id = $2, destination_external_id = '77'
        where id = $1`,
        [orderId, shop]
      )
      const told: unknown[] = []
      const getOrder = () => orderOf('o1')
      const OrderProcessorManager: Record<string, (externalId: string, status: string) => unknown> = { getOrder }
      if (tell !== null) {
        OrderProcessorManager.updateOrderStatus = (_externalId, status) => {
          told.push(status)
          return tell()
        }
      }
      const services = createServices(jobs, () => ({ Marketplace: { getOrder }, OrderProcessorManager }))
      return {
        told,
        /** Returns the new jobs that follow. */
        async shopSays (status: Order['status']): Promise<JobRequest[]> {
          return jobs.database.transaction(async transaction => {
            const { jobs: wanted } = await recordDestinationOrders(transaction, shop, [orderOf('77', { status })])
            const enqueued = await services.enqueueJobs(wanted, transaction)
            return wanted.filter((_, index) => enqueued[index]?.isNew)
          })
        },
        run: ({ payload }: Pick<JobRequest, 'payload'>) => {
          const job = runningJob('marketplace.order.updateStatus', market, payload)
          return runJob(services, job)
        },
        set: (change: string) => query(`update orders set ${change} where id = $1`, [orderId]),
        async order () {
          const [row] = await query<{ status: string, problems: string[], links: number }>(
            `
            select status, ${problemDetails}, (select link_version from offers where connection_id = $2) as links
            from orders where id = $1`,
            [orderId, market]
          )
          return row
        }
      }
    }

    t.test('is cancelled at the marketplace, once, and its offer is written again', async t => {
      const { shopSays, run, told, order } = await openOrder()
      const links = (await order())?.links ?? 0
      const [job, ...more] = await shopSays('cancelled')
      t.match(job, { jobType: 'marketplace.order.updateStatus', payload: { status: 'cancelled' } })
      t.strictSame([more, await shopSays('cancelled')], [[], []])
      t.match(await order(), { status: 'created', problems: [shopOnly] }, 'until the marketplace knows')

      const runs = await Promise.all(Array.from({ length: 16 }, () => run(job ?? { payload: {} })))
      t.strictSame(
        runs.flatMap(({ jobTypes }) => jobTypes),
        ['inventory.propagateToMarketplaces', 'marketplace.offerQuantity.update'],
        'its piece is free, once'
      )
      t.ok(told.every(status => status === 'cancelled'))
      t.strictSame(await order(), { status: 'cancelled', problems: [], links: links + 1 })
    })

    t.test('stays at the marketplace when the connection does not want it, or when it was shipped', async t => {
      const unwanted = await openOrder({ isWanted: false })
      t.strictSame(await unwanted.shopSays('cancelled'), [])
      t.match(await unwanted.order(), { status: 'created', problems: [shopOnly] })

      const shipped = await openOrder()
      await shipped.set("status = 'shipped'")
      t.strictSame(await shipped.shopSays('cancelled'), [])
      t.match(await shipped.order(), { status: 'shipped', problems: [shopOnly] })
    })

    const refusals: [string, Tell, object][] = [
      ['its adapter cannot tell it', null, { result: { skipped: 'the adapter has no updateOrderStatus' } }],
      ['writing back is switched off', () => ({ skipped: 'switched off' }), { result: { skipped: 'switched off' } }],
      ['it refuses', () => {
        throw new RejectedError('it was sent')
      }, { message: 'it was sent' }]
    ]
    for (const [why, tell, outcome] of refusals) {
      t.test(`keeps its problem when ${why}`, async t => {
        const { shopSays, run, order } = await openOrder({ tell })
        const [job] = await shopSays('cancelled')
        t.match(await run(job ?? { payload: {} }).catch((error: unknown) => error), outcome)
        t.match(await order(), { status: 'created', problems: [shopOnly] })
      })
    }

    t.test('stays when the shop takes the cancellation back or ships it, until the shop cancels again', async t => {
      const { shopSays, run, set, told, order } = await openOrder()
      const [first] = await shopSays('cancelled')
      const changes = ["destination_status = 'processing'", "status = 'shipped', destination_status = 'cancelled'"]
      for (const change of changes) {
        await set(change)
        t.match(await run(first ?? { payload: {} }), { result: { skipped: 'there is nothing to tell' } }, change)
      }
      t.strictSame(told, [])
      await set("status = 'created', destination_status = 'processing'")

      const [second] = await shopSays('cancelled')
      t.match((await order())?.problems, [shopOnly])
      await run(second ?? { payload: {} })
      t.strictSame(told, ['cancelled'])
      t.match(await order(), { status: 'cancelled', problems: { length: 0 } })
    })
  })
}
