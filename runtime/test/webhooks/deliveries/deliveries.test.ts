import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { jobIdOf } from '../../../src/jobs/identity.ts'
import { createWaitsOf } from '../../../src/jobs/show-jobs.ts'
import { createDeliveries } from '../../../src/webhooks/deliveries/deliveries.ts'
import { replayKey } from '../../../src/webhooks/deliveries/replays.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'
import { connection, createRows, shopId } from '../support.ts'

const filter = { connectionId: shopId }
const page = { limit: 50 }

/** Adds deliveries of the shop whose jobs have succeeded. */
async function addDelivered (
  query: Query,
  { count, eventType, age }: { count: number, eventType: string, age: string }
): Promise<void> {
  await query(
    `
    insert into jobs (
      id, job_type, lane, connection_id, object_key, idempotency_key, payload, outcome, created_at, finished_at
    )
    select gen_random_uuid(), 'a.job', 'state', $1::uuid, n::text,
      'webhook:shopa:' || $1::uuid || ':' || gen_random_uuid(),
      json_build_object(
        'eventType', $2::text, 'objectType', 'product', 'externalId', n::text,
        'occurredAt', '2026-01-31T11:00:00Z', 'publishedAt', '2026-01-31T11:00:00Z'
      ),
      'succeeded', now() - $4::interval, now()
    from generate_series(1, $3::integer) as n`,
    [shopId, eventType, count, age]
  )
}

for (const kind of kinds(t)) {
  t.test(`the log of deliveries, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    t.teardown(() => jobs.close())
    const { query } = jobs.database
    let recordsRead = 0
    let statements = 0
    const counting: Query = async (text, values) => {
      const rows = await query(text, values)
      statements += 1
      recordsRead += rows.filter(row => 'attempts' in row).length
      return rows as never
    }
    const deliveries = createDeliveries({
      query: counting,
      connections: { refresh: createRows(connection(shopId)).load },
      enqueueJobs: jobs.enqueueJobs,
      hasJob: () => true,
      redactorsOf: async () => () => value => value,
      waitsOf: createWaitsOf({ query: counting, connectionStates: async () => [] }),
      keptDays: 7,
      now: () => new Date()
    })
    const occasion = () => ({ operationId: randomUUID(), requestId: 'the replay' })
    const replayAll = (more: object, operation = occasion()) =>
      deliveries.replayAll({ filter: { ...filter, ...more }, includeReplayed: false, dryRun: false }, operation)

    async function deliver (): Promise<string> {
      const eventId = randomUUID()
      const time = new Date().toISOString()
      const idempotencyKey = `webhook:shopa:${shopId}:${eventId}`
      await jobs.enqueueJobs([{
        jobType: 'state.sync',
        connectionId: shopId,
        payload: {
          eventType: 'product.saved',
          objectType: 'product',
          externalId: eventId,
          occurredAt: time,
          publishedAt: time
        },
        idempotencyKey
      }])
      return jobIdOf(idempotencyKey)
    }

    t.beforeEach(() => jobs.clear())

    t.test('a list reads each delivery and its last replay once, however often it was replayed', async t => {
      const [often, once, never] = [await deliver(), await deliver(), await deliver()]
      for (let n = 1; n <= 7; n++) await deliveries.replay(often, occasion())
      await deliveries.replay(once, occasion())
      recordsRead = 0
      statements = 0
      const { deliveries: found } = await deliveries.list(filter, page)

      t.equal(recordsRead, 3 + 2)
      t.ok(statements <= 8, String(statements))
      t.strictSame(
        new Map(found.map(({ id, replayCount, lastReplay }) => [id, [replayCount, lastReplay?.jobId]])),
        new Map([
          [often, [7, jobIdOf(replayKey(often, 7))]],
          [once, [1, jobIdOf(replayKey(once, 1))]],
          [never, [0, undefined]]
        ])
      )
      t.ok(found.every(({ waitsFor }) => waitsFor !== null))
      t.ok(found.every(({ lastReplay }) => lastReplay === null || lastReplay.waitsFor !== null))
    })

    t.test('a replay reads each delivery once, and none of its earlier replays as a whole', async t => {
      const [often, never] = [await deliver(), await deliver()]
      for (let n = 1; n <= 7; n++) await deliveries.replay(often, occasion())
      recordsRead = 0
      await replayAll({})

      // The sample shows both deliveries with their last replays.
      t.equal(recordsRead, 2 + 2)
      t.match((await deliveries.get(never)).replays, { length: 1 })
    })

    t.test('the repetition of a replay has the result of its first run, which died before it answered', async t => {
      const [before, ...left] = [await deliver(), await deliver(), await deliver()]
      await deliveries.replay(before, occasion())
      const operation = occasion()
      const first = await replayAll({ replayed: false }, operation)
      t.match(first, { matched: 2, jobs: 2, replays: { length: 2 } })
      t.strictSame(new Set(first.replays.map(({ deliveryId }) => deliveryId)), new Set(left))

      // Another operation does not change it.
      t.match(await replayAll({}), { matched: 3, jobs: 0 })
      for (const deliveryId of left) await deliveries.replay(deliveryId, occasion())
      const { sample: _then, ...summary } = first
      const { sample: _now, ...again } = await replayAll({ replayed: false }, operation)
      t.strictSame(again, summary)
      t.match(await replayAll({ replayed: true }, operation), { matched: 1, jobs: 0, alreadyReplayed: 1 })
      t.match(await replayAll({ replayed: false }), { matched: 0 })
    })

    t.test('a replay says whether it has too much to replay, or too much to look at', async t => {
      const dryRun = () => deliveries.replayAll({ filter, includeReplayed: false, dryRun: true }, occasion())
      await addDelivered(query, { count: 500, eventType: 'product.saved', age: '1 minute' })
      t.match(await dryRun(), { matched: 500, isMore: false, jobs: 500 })

      await addDelivered(query, { count: 3501, eventType: 'is.unknown', age: '1 hour' })
      t.match(await dryRun(), { matched: 4000, isMore: true, jobs: 500, ignored: [{ count: 3500 }] })
      await t.rejects(replayAll({}), { code: 'LNK_DELIVERIES_TOO_MANY', message: /looks at 4000 of them/ })

      await addDelivered(query, { count: 1, eventType: 'product.saved', age: '1 second' })
      await t.rejects(replayAll({}), { code: 'LNK_DELIVERIES_TOO_MANY', message: /more than 500 deliveries/ })
    })

    t.test('a delivery has all its replays, and the members that the list has', async t => {
      const id = await deliver()
      for (let n = 1; n <= 7; n++) await deliveries.replay(id, occasion())
      recordsRead = 0
      const { replays, ...summary } = await deliveries.get(id)

      t.equal(recordsRead, 1 + 7)
      t.strictSame(replays.map(({ jobId }) => jobId), [1, 2, 3, 4, 5, 6, 7].map(n => jobIdOf(replayKey(id, n))))
      t.strictSame((await deliveries.list(filter, page)).deliveries, [summary])
    })
  })
}
