import type { OrderEventPage } from '@linker/sdk'
import t from 'tap'
import { moveJournalCursor, readJournalCursor } from '../../src/orders/journal-cursor.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { createServices, runJob, runningJob } from './fake-adapter.ts'

interface Request {
  limit: number
  cursor?: string
}

const occurredAt = '2026-01-31T12:00:00Z'
const event = (eventId: string, orderExternalId?: string) => ({
  eventId,
  occurredAt,
  ...(orderExternalId === undefined ? {} : { orderExternalId })
})

t.test('the order journal of a marketplace', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  /** Opens a marketplace whose journal answers each request by `answer`. */
  async function openMarket (answer: (request: Request, market: string) => OrderEventPage | Promise<OrderEventPage>) {
    const market = await jobs.addConnection()
    const requests: Request[] = []
    const services = createServices(jobs, () => ({
      Marketplace: {
        listOrderEvents (request: Request) {
          requests.push(request)
          return answer(request, market)
        }
      }
    }))
    return {
      market,
      requests,
      poll: (payload = {}) => runJob(services, runningJob('marketplace.orders.poll', market, payload)),
      cursor: () => readJournalCursor(query, market),
      orders: async () =>
        (await query<{ order: string }>(
          "select payload ->> 'externalId' as order from jobs where connection_id = $1 and " +
            "job_type = 'marketplace.order.syncByExternalId' order by idempotency_key",
          [market]
        )).map(({ order }) => order)
    }
  }

  t.test('is read page by page up to its end, and each event is one job', async t => {
    const { poll, cursor, orders, requests } = await openMarket(({ cursor }) =>
      cursor === undefined
        ? { events: [event('1', 'a'), event('2', 'b')], cursor: '2', hasMore: true }
        : { events: [event('3', 'a')], cursor: '3', hasMore: false }
    )

    t.match(await poll(), { result: { events: 3, newEvents: 3, incomplete: 0 } })
    t.strictSame(requests.map(request => request.cursor), [undefined, '2'])
    t.strictSame([await cursor(), await orders()], ['3', ['a', 'b', 'a']])
  })

  t.test('may show an event again: it makes no second job', async t => {
    const { poll, orders } = await openMarket(({ cursor }) => ({
      events: [event('1', 'a'), event('2', 'b')],
      cursor: cursor === undefined ? '2' : '3',
      hasMore: false
    }))
    await poll()

    t.match(await poll(), { result: { events: 2, newEvents: 0 } })
    t.strictSame(await orders(), ['a', 'b'])
  })

  t.test('moves on over events that concern no order', async t => {
    const { poll, cursor, orders } = await openMarket(() => ({ events: [event('1')], cursor: '1', hasMore: false }))

    t.match(await poll(), { result: { events: 1, newEvents: 0 } })
    t.strictSame([await cursor(), await orders()], ['1', []])
  })

  t.test('that lost events is followed by a sweep over the list of orders', async t => {
    const { poll, market } = await openMarket(() => ({ events: [], cursor: '9', hasMore: false, isIncomplete: true }))

    t.match(await poll(), { result: { incomplete: 1 } })
    t.equal(
      (await query("select from jobs where connection_id = $1 and job_type = 'marketplace.orders.sweep'", [market]))
        .length,
      1
    )
    t.match(jobs.log.entries, [{ level: 'warn' }])
  })

  for (
    const [what, page] of Object.entries({
      'without a cursor': { events: [], hasMore: true },
      'with the cursor of before': { events: [], cursor: '1', hasMore: true }
    })
  ) {
    t.test(`that announces more ${what} would never end, and is refused`, async t => {
      const { poll } = await openMarket(({ cursor }) =>
        cursor === undefined ? { events: [], cursor: '1', hasMore: true } : page
      )

      await t.rejects(poll(), { code: 'LNK_ADAPTER_REJECTED' })
    })
  }

  t.test('that goes on after twenty pages is continued by another job, which knows the pages before', async t => {
    const { poll, requests, market } = await openMarket(({ cursor = '0' }) => ({
      events: [event(cursor)],
      cursor: String(Number(cursor) + 1),
      hasMore: true
    }))
    const { jobTypes, result } = await poll()
    const [next] = await query<{ payload: { trail?: { total: number } } }>(
      "select payload from jobs where connection_id = $1 and job_type = 'marketplace.orders.poll'",
      [market]
    )

    t.match(result, { events: 20, goesOn: true })
    t.strictSame(jobTypes, ['marketplace.orders.poll'])
    t.equal(requests.length, 20)
    t.equal(next?.payload.trail?.total, 20)
    await poll(next?.payload)
    t.equal(requests[20]?.cursor, '20')
  })

  t.test('that another run has read on meanwhile is left to that run', async t => {
    const { poll, cursor, requests } = await openMarket(async (_request, market) => {
      await moveJournalCursor(query, market, undefined, '7')
      return { events: [event('1', 'a')], cursor: '1', hasMore: true }
    })

    t.match(await poll(), { result: { skipped: /another run/ } })
    t.equal(await cursor(), '7')
    t.equal(requests.length, 1)
  })
})
