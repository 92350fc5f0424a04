import { randomUUID } from 'node:crypto'
import t from 'tap'
import { storeIgnored } from '../../../src/events/store.ts'
import { jobIdOf } from '../../../src/jobs/identity.ts'
import { findDeliveries, findDelivery, type Page } from '../../../src/webhooks/deliveries/find-deliveries.ts'
import type { DeliveryFilter } from '../../../src/webhooks/deliveries/schemas.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'

const event = {
  objectType: 'stock',
  externalId: '27',
  eventType: 'stock.changed',
  occurredAt: '2026-01-31T11:00:00Z',
  publishedAt: '2026-01-31T11:00:01.000Z'
}
const start = Date.UTC(2026, 0, 31, 12)
const timeOf = (second: number): string => new Date(start + second * 1_000).toISOString()

for (const kind of kinds(t)) {
  t.test(`deliveries are found in a ledger that is full of other jobs, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    t.teardown(() => jobs.close())
    const { query } = jobs.database
    const connectionId = await jobs.addConnection()
    const [{ platform: provider } = { platform: '' }] = await query<
      { platform: string }
    >('select platform_type as platform from connections')
    const idOf = (eventId: string): string => jobIdOf(`webhook:${provider}:${connectionId}:${eventId}`)

    /** An event that became a job at a second, or was ignored then. */
    async function add (eventId: string, second: number, isIgnored = false): Promise<void> {
      if (isIgnored) {
        const message = { provider, connectionId, eventId, ...event }
        await storeIgnored(query, [{
          deliveryId: idOf(eventId),
          provider,
          connectionId,
          eventId,
          eventType: event.eventType,
          reason: 'unknown event type',
          event: JSON.stringify(message),
          message: '{}'
        }], 1_000_000)
        await query('update ignored_events set ignored_at = $1 where event_id = $2', [timeOf(second), eventId])
        return
      }
      const idempotencyKey = `webhook:${provider}:${connectionId}:${eventId}`
      await jobs.enqueueJobs([{
        jobType: 'state.sync',
        connectionId,
        payload: { ...event, object: eventId },
        idempotencyKey
      }])
      await query('update jobs set created_at = $1 where id = $2', [timeOf(second), idOf(eventId)])
    }
    await add('job-1', 1)
    await add('ignored-2', 2, true)
    await add('ignored-10', 10, true)
    await add('job-12', 12)
    await query(
      `
      insert into jobs (id, job_type, lane, object_key, idempotency_key, payload, outcome, finished_at, created_at)
      select gen_random_uuid(), 'x', 'state', n::text, 'other:' || n, '{}', 'succeeded', now(), $1
      from generate_series(1, 10500) as n`,
      [timeOf(5)]
    )
    /** The events of each page, until there is none. */
    async function pagesOf (filter: DeliveryFilter, limit: number): Promise<string[][]> {
      const pages: string[][] = []
      for (let next: Page['next']; pages.length === 0 || next !== undefined;) {
        const page = await findDeliveries(query, filter, { limit, after: next })
        pages.push(page.deliveries.map(({ eventId }) => eventId))
        next = page.next
      }
      return pages
    }

    t.strictSame(await pagesOf({}, 10), [['job-12', 'ignored-10'], ['ignored-2', 'job-1']])
    t.strictSame((await pagesOf({}, 1)).flat(), ['job-12', 'ignored-10', 'ignored-2', 'job-1'])
    t.strictSame(await pagesOf({ connectionId: connectionId.toUpperCase() }, 10), [
      ['job-12', 'ignored-10', 'ignored-2', 'job-1']
    ], 'the jobs of other connections are not looked at')
    t.strictSame(await pagesOf({ status: 'ignored' }, 10), [['ignored-10', 'ignored-2']])
    t.strictSame((await pagesOf({ status: 'queued', until: timeOf(12) }, 10)).flat(), ['job-1'])

    for (const filter of [{}, { connectionId }, { provider, connectionId }, { provider }]) {
      t.strictSame(await pagesOf({ ...filter, eventId: 'job-1' }, 10), [['job-1']], 'an event is found by its id')
      t.strictSame(await pagesOf({ ...filter, eventId: 'ignored-2' }, 10), [['ignored-2']])
    }
    t.strictSame(await pagesOf({ eventId: 'job-1', status: 'ignored' }, 10), [[]])
    t.strictSame(await pagesOf({ eventId: 'job-1', since: timeOf(2) }, 10), [[]])
    t.strictSame(await pagesOf({ eventId: 'job-1', connectionId: randomUUID() }, 10), [[]])

    t.match(await findDelivery(query, idOf('job-1')), { eventId: 'job-1', job: { status: 'queued' } })
    t.match(await findDelivery(query, idOf('ignored-2')), { eventId: 'ignored-2', ignored: 'unknown event type' })
    t.equal(await findDelivery(query, randomUUID()), undefined)
    t.equal(await findDelivery(query, jobIdOf('other')), undefined)
  })
}
