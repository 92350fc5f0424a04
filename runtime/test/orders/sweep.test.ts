import type { Order, Page } from '@linker/sdk'
import t from 'tap'
import { readJournalCursor } from '../../src/orders/journal-cursor.ts'
import { createServices, runJob, runningJob, type Abilities } from '../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from './journal.ts'

interface ListRequest {
  limit: number
  updatedSince: string
  cursor?: string
}

for (const kind of kinds(t)) {
  t.test(`orders whose events were lost, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /** Opens a marketplace that lists its orders, `perPage` on a page. */
    async function openMarket (
      listed: readonly unknown[],
      perPage: number,
      more: Abilities[string] = {},
      createdAt = new Date(0)
    ) {
      const market = await jobs.addConnection()
      const requests: ListRequest[] = []
      const Marketplace = {
        listOrders (request: ListRequest): Page<Order> {
          requests.push(request)
          const from = Number(request.cursor ?? 0)
          const nextCursor = from + perPage < listed.length ? { nextCursor: String(from + perPage) } : {}
          return { items: listed.slice(from, from + perPage) as Order[], ...nextCursor }
        },
        getOrder: (externalId: string) => (listed as Order[]).find(order => order.externalId === externalId),
        ...more
      }
      const services = createServices(jobs, () => ({ Marketplace }), { createdAt })
      return {
        market,
        requests,
        services,
        sweep: (payload: Record<string, unknown> = {}) =>
          runJob(services, runningJob('marketplace.orders.sweep', market, payload)),
        orders: () =>
          query<{ externalId: string, revision: string }>(
            'select external_id as "externalId", revision from orders where connection_id = $1 order by external_id',
            [market]
          ),
        jobsOf: (jobType: string) =>
          query<{ payload: Record<string, unknown> }>(
            'select payload from jobs where connection_id = $1 and job_type = $2',
            [market, jobType]
          )
      }
    }

    t.test('are listed for the last 60 days, in slices, and stored once', async t => {
      const listed = Array.from({ length: 120 }, (_, index) => orderOf(`o${String(index).padStart(3, '0')}`))
      const { sweep, orders, requests } = await openMarket(listed, 1)
      const before = Date.now() - 60 * 86_400_000

      const first = await sweep()
      t.match(first, { result: { seen: 50, ingested: 50, goesOn: true }, jobTypes: ['marketplace.orders.sweep'] })
      const second = await sweep(first.followUps?.[0]?.payload)
      t.match(await sweep(second.followUps?.[0]?.payload), {
        result: { seen: 20, ingested: 20 },
        jobTypes: { length: 0 }
      })

      t.strictSame(await orders(), listed.map(({ externalId, revision }) => ({ externalId, revision })))
      t.equal(new Set(requests.map(({ updatedSince }) => updatedSince)).size, 1, 'every slice asks for the same')
      t.ok(Math.abs(Date.parse(requests[0]?.updatedSince ?? '') - before) < 60_000)
      t.match(
        await sweep(second.followUps?.[0]?.payload),
        { result: { seen: 20, ingested: 0, changed: 0 } },
        'a slice that runs again'
      )
    })

    t.test('are read one by one when the hub knows another revision, because the list may be older', async t => {
      const listed = [orderOf('known'), orderOf('changed')]
      const { services, market, sweep, orders, jobsOf } = await openMarket(listed, 100)
      for (const { externalId } of listed) {
        await runJob(services, runningJob('marketplace.order.syncByExternalId', market, { externalId }))
      }
      listed[1] = orderOf('changed', { revision: '2' })

      t.match(await sweep({ updatedSince: '2025-01-02T10:00:00+01:00' }), {
        result: { updatedSince: '2025-01-02T09:00:00.000Z', seen: 2, ingested: 0, changed: 1 }
      })
      t.strictSame(await jobsOf('marketplace.order.syncByExternalId'), [{ payload: { externalId: 'changed' } }])
      t.match(await orders(), [{ externalId: 'changed', revision: '1' }, { revision: '1' }])
    })

    t.test('are read when they were gone and are back, whatever their revision', async t => {
      const listed = [orderOf('back')]
      const { services, market, sweep, jobsOf } = await openMarket(listed, 100)
      await runJob(
        services,
        runningJob('marketplace.order.syncByExternalId', market, { externalId: 'back' })
      )
      await query("update orders set status = 'cancelled', source_status = 'gone' where connection_id = $1", [market])

      t.match(await sweep(), { result: { seen: 1, ingested: 0, changed: 1 } })
      t.strictSame(await jobsOf('marketplace.order.syncByExternalId'), [{ payload: { externalId: 'back' } }])
    })

    t.test('are listed for the days of a schedule, a whole number from 1 to 60', async t => {
      const { sweep, requests } = await openMarket([], 100)

      await sweep({ days: 1 })
      t.ok(Math.abs(Date.parse(requests[0]?.updatedSince ?? '') - (Date.now() - 86_400_000)) < 60_000)
      for (const days of [0, 61, 1.5, '1']) {
        t.match(await sweep({ days }).catch((error: unknown) => error), { fields: [{ pointer: '/payload/days' }] })
      }
    })

    t.test('are not taken from the time before the connection, except for an operator', async t => {
      const createdAt = new Date(Date.now() - 3_600_000)
      const { sweep, requests } = await openMarket([], 100, {}, createdAt)

      await sweep({ days: 1 })
      await sweep({ updatedSince: '2025-01-02T09:00:00.000Z' })
      t.strictSame(requests.map(({ updatedSince }) => updatedSince), [
        createdAt.toISOString(),
        '2025-01-02T09:00:00.000Z'
      ], 'the operator may')
    })

    t.test('are left out when they are unreadable, and the others are stored', async t => {
      const { sweep, orders } = await openMarket([{ externalId: 'strange' }, orderOf('fine')], 100)

      t.match(await sweep(), { result: { seen: 2, ingested: 1, unreadable: 1 } })
      t.match(await orders(), [{ externalId: 'fine' }])
      t.match(jobs.log.entries, [{ level: 'warn', fields: { unreadable: 1 } }])
    })

    t.test('are read again when they are no longer listed and still reserve pieces', async t => {
      const names = ['listed', 'gone', 'made', 'over', 'new']
      const listed = names.map(externalId => orderOf(externalId, { status: 'pending' }))
      const { services, market, sweep, jobsOf } = await openMarket(listed, 1)
      for (const externalId of names.slice(0, 4)) {
        await runJob(services, runningJob('marketplace.order.syncByExternalId', market, { externalId }))
      }
      await query(
        `
        update orders set status = 'created', destination_external_id = '77'
        where connection_id = $1 and external_id = 'made'`,
        [market]
      )
      await query("update orders set status = 'cancelled' where connection_id = $1 and external_id = 'over'", [market])
      listed.splice(1, 3)

      t.match(await sweep(), { result: { seen: 2, ingested: 1, unlisted: 1 } })
      t.strictSame(await jobsOf('marketplace.order.syncByExternalId'), [{ payload: { externalId: 'gone' } }])
      listed.push(orderOf('gone', { status: 'pending' }))
      t.match(await sweep(), { result: { seen: 3, ingested: 0, unlisted: 0 } })
    })

    t.test('are not read again by a sweep that began before another job read them, whatever slice ends it', async t => {
      const listed = Array.from({ length: 51 }, (_, index) => orderOf(`o${index}`, { status: 'pending' }))
      const unlisted = orderOf('unlisted', { status: 'pending' })
      const { services, market, sweep, jobsOf } = await openMarket(listed, 1, { getOrder: () => unlisted })
      const payload = { externalId: 'unlisted' }
      const read = () => runJob(services, runningJob('marketplace.order.syncByExternalId', market, payload))
      await read()
      const first = await sweep()
      await read()

      t.match(await sweep(first.followUps?.[0]?.payload), { result: { seen: 1, unlisted: 0 } })
      t.strictSame(await jobsOf('marketplace.order.syncByExternalId'), [])
    })

    t.test('cannot be listed by every adapter', async t => {
      const market = await jobs.addConnection()
      const services = createServices(jobs, () => ({ Marketplace: { getOrder: () => undefined } }))

      t.match(await runJob(services, runningJob('marketplace.orders.sweep', market)), {
        result: { skipped: 'the adapter cannot list orders' }
      })
      await t.rejects(
        runJob(services, runningJob('marketplace.orders.sweep', market, { updatedSince: 'yesterday' })),
        { code: 'LNK_ADAPTER_REJECTED' }
      )
    })

    t.test('are swept when the journal says so, once for one gap', async t => {
      const { services, market, jobsOf } = await openMarket([], 100, {
        listOrderEvents: ({ cursor }: { cursor?: string }) =>
          cursor === undefined
            ? {
              events: [{ eventId: '1', orderExternalId: 'a', occurredAt: '2025-01-02T10:00:00.000Z' }, {
                eventId: '2',
                occurredAt: '2025-01-02T10:00:00.000Z'
              }],
              cursor: '2',
              hasMore: false,
              isIncomplete: true
            }
            : { events: [], hasMore: false }
      })
      const poll = () => runJob(services, runningJob('marketplace.orders.poll', market))

      t.match(await poll(), { result: { events: 2, newEvents: 1, incomplete: 1 } })
      t.match(await poll(), { result: { events: 0, newEvents: 0, incomplete: 0 } })
      t.strictSame(await jobsOf('marketplace.orders.sweep'), [{ payload: {} }])
      t.strictSame(await jobsOf('marketplace.order.syncByExternalId'), [{ payload: { externalId: 'a' } }])
      t.equal(await readJournalCursor(query, market), '2', 'an empty page keeps the cursor')
    })

    t.test('an event with a strange id does not keep the others from their jobs', async t => {
      const at = '2025-01-02T10:00:00.000Z'
      const events = [
        { eventId: 'a\0b', orderExternalId: 'a', occurredAt: at },
        { eventId: '\ud800', orderExternalId: 'b\0', occurredAt: at },
        { eventId: 'x'.repeat(5_000), orderExternalId: 'c', occurredAt: at }
      ]
      const { services, market, jobsOf } = await openMarket([], 100, {
        listOrderEvents: () => ({ events, cursor: '3', hasMore: false })
      })

      t.match(await runJob(services, runningJob('marketplace.orders.poll', market)), {
        result: { events: 3, newEvents: 3 }
      })
      t.strictSame(
        (await jobsOf('marketplace.order.syncByExternalId')).map(({ payload }) => payload.externalId).toSorted(),
        ['a', 'b\0', 'c']
      )
      t.equal(await readJournalCursor(query, market), '3')
    })

    t.test('a long journal goes on with the next job, and one without a cursor is refused', async t => {
      const event = (id: number) => ({
        eventId: String(id),
        orderExternalId: 'a',
        occurredAt: '2025-01-02T10:00:00.000Z'
      })
      const endless = await openMarket([], 100, {
        listOrderEvents: ({ cursor = '0' }: { cursor?: string }) => ({
          events: [event(Number(cursor) + 1)],
          cursor: String(Number(cursor) + 1),
          hasMore: true
        })
      })
      const stuck = await openMarket([], 100, { listOrderEvents: () => ({ events: [event(1)], hasMore: true }) })

      t.match(await runJob(endless.services, runningJob('marketplace.orders.poll', endless.market)), {
        result: { events: 20, newEvents: 20, goesOn: true },
        jobTypes: ['marketplace.orders.poll']
      })
      t.equal(await readJournalCursor(query, endless.market), '20')
      await t.rejects(runJob(stuck.services, runningJob('marketplace.orders.poll', stuck.market)), {
        code: 'LNK_ADAPTER_REJECTED',
        message: /returned no new cursor/
      })
      t.match(await stuck.jobsOf('marketplace.order.syncByExternalId'), [{ payload: { externalId: 'a' } }])
    })
  })
}
