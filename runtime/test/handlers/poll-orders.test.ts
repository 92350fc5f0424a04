import type { OrderEvent } from '@linker/sdk'
import t from 'tap'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { createServices, runJob, runningJob, type Abilities } from './fake-adapter.ts'

const occurredAt = '2026-01-31T12:00:00Z'
const event = (eventId: string, orderExternalId?: string): OrderEvent => ({
  eventId,
  occurredAt,
  ...(orderExternalId === undefined ? {} : { orderExternalId })
})

t.test('the inbox of a marketplace', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  const orderJobs = () =>
    query<
      { order: string, key: string }
    >("select payload ->> 'externalId' as order, idempotency_key as key from jobs where job_type = " +
      "'marketplace.order.syncByExternalId' order by 1")

  async function poll (abilities: Abilities) {
    const market = await jobs.addConnection()
    const services = createServices(jobs, () => abilities)
    return { market, ended: runJob(services, runningJob('marketplace.orders.poll', market)) }
  }

  t.test('is acknowledged when the jobs of its orders are stored, one for the newest event of each', async t => {
    const inbox = [event('1', 'a'), event('2', 'b'), event('3'), event('4', 'a')]
    const acknowledged: [OrderEvent[], number][] = []
    const { market, ended } = await poll({
      OrderSource: {
        listUnread: () => inbox,
        async acknowledge (events: OrderEvent[]) {
          acknowledged.push([events, (await orderJobs()).length])
        }
      }
    })

    t.match(await ended, { result: { events: 4, orders: 2 } })
    t.strictSame(acknowledged, [[inbox, 2]], 'also the event that concerns no order')
    t.strictSame(await orderJobs(), [
      { order: 'a', key: `order-event:${market}:4` },
      { order: 'b', key: `order-event:${market}:2` }
    ])
  })

  t.test('is read on while its pages are full', async t => {
    let unread = 1_100
    const limits: number[] = []
    const { ended } = await poll({
      OrderSource: {
        listUnread ({ limit }: { limit: number }) {
          limits.push(limit)
          return Array.from({ length: Math.min(limit, unread) }, (_, index) => event(`${unread - index}`, 'a'))
        },
        acknowledge (events: OrderEvent[]) {
          unread -= events.length
        }
      }
    })

    t.match(await ended, { result: { events: 1_100, orders: 3 } })
    t.strictSame([unread, limits], [0, [500, 500, 500]])
  })

  t.test('whose answer breaks the contract is neither stored nor acknowledged', async t => {
    const { ended } = await poll({
      OrderSource: {
        listUnread: () => [event('1', 'a'), { eventId: '2' }],
        acknowledge: () => t.fail('it was acknowledged')
      }
    })

    await t.rejects(ended, { code: 'LNK_ADAPTER_REJECTED' })
    t.strictSame(await orderJobs(), [])
  })

  t.test('is read before a journal, and a connection with neither is left alone', async t => {
    const both = await poll({
      OrderSource: { listUnread: () => [], acknowledge: () => t.fail('nothing is to be acknowledged') },
      Marketplace: { listOrderEvents: () => t.fail('the journal was read') }
    })
    const neither = await poll({ OfferManager: {} })

    t.match(await both.ended, { result: { events: 0, orders: 0 } })
    t.match(await neither.ended, { result: { skipped: /neither/ } })
  })
})
