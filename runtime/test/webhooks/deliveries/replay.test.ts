import { randomUUID } from 'node:crypto'
import t from 'tap'
import { unmappedType } from '../../../src/events/unmapped-topics.ts'
import type { Delivery } from '../../../src/webhooks/deliveries/delivery.ts'
import { createReplay, type JobPlan, type ReplayOccasion } from '../../../src/webhooks/deliveries/replay.ts'
import { findReplayed, readReplays } from '../../../src/webhooks/deliveries/replays.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'
import { connection, createRows, disabledId, shopId, unknownId } from '../support.ts'

const createdAt = '2026-01-31T12:00:00.000Z'

function delivery (more: Partial<Delivery> = {}): Delivery {
  const { connectionId = shopId } = more
  const id = randomUUID()
  return {
    id,
    provider: 'shopa',
    connectionId,
    eventId: id,
    event: {
      provider: 'shopa',
      connectionId,
      eventId: id,
      eventType: 'product.saved',
      objectType: 'product',
      externalId: '27',
      occurredAt: createdAt,
      publishedAt: createdAt,
      requestId: 'the first request'
    },
    createdAt,
    ignored: null,
    job: null,
    ...more
  }
}

for (const kind of kinds(t)) {
  t.test(`replays, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    t.teardown(() => jobs.close())
    const { query } = jobs.database
    const source = { topic: { header: 'x' }, externalId: { body: '/id' }, eventTypes: { carts: null } }
    const rows = createRows(
      connection(shopId, { webhookRules: { source } }),
      connection(disabledId, { status: 'disabled' })
    )
    const clock = { nowMs: Date.parse(createdAt) }
    const { createPlan, run } = createReplay({
      query,
      connections: { refresh: rows.load },
      enqueueJobs: jobs.enqueueJobs,
      hasJob: (_connection, jobType) => jobType === 'master.product.syncByExternalId',
      keptDays: 7,
      now: () => new Date(clock.nowMs)
    })
    const occasion = () => ({ operationId: randomUUID(), requestId: 'the replay' })
    const plan = (given: readonly Delivery[], own: ReplayOccasion) => createPlan(own)(given)
    const countOf = async ({ id }: Delivery): Promise<number> => (await readReplays(query, [id])).get(id)?.length ?? 0

    t.test('one operation replays a delivery once, even when its answer was lost', async t => {
      const given = [delivery(), delivery()]
      const one = occasion()
      const first = await run(await plan(given, one) as JobPlan[], one)
      const again = await run(await plan(given, one) as JobPlan[], one)
      const two = occasion()
      const another = await run(await plan(given, two) as JobPlan[], two)

      t.strictSame(again, first)
      t.strictSame([...first.keys()], given.map(({ id }) => id))
      t.equal(new Set([...first.values(), ...another.values()]).size, 4)
      for (const one of given) t.equal(await countOf(one), 2)
      const [replayed] = await query('select payload, request_id from jobs where id = $1', [
        first.get(given[0]?.id ?? '')
      ])
      t.match(replayed, {
        payload: { externalId: '27', replayOf: given[0]?.id, requestId: 'the replay' },
        request_id: 'the replay'
      })
    })

    t.test('operations at the same moment are a job each', async t => {
      const given = delivery()
      const ids = await Promise.all(Array.from({ length: 8 }, async () => {
        const own = occasion()
        return (await run(await plan([given], own) as JobPlan[], own)).get(given.id)
      }))

      t.equal(new Set(ids).size, 8)
      t.equal(await countOf(given), 8)
    })

    t.test('the fiftieth replay is the last, and its repetition is the same', async t => {
      const given = delivery()
      let last = occasion()
      for (let n = 1; n <= 50; n++) {
        last = occasion()
        await run(await plan([given], last) as JobPlan[], last)
      }

      t.equal(await countOf(given), 50)
      t.match(await plan([given], occasion()), [{ refusal: { code: 'LNK_DELIVERY_REPLAY_LIMIT' } }])
      t.match(await plan([given], last), [{ job: { jobType: 'master.product.syncByExternalId' } }])
    })

    t.test('a plan tells which deliveries an earlier replay handled, unless it failed', async t => {
      const [fresh, waiting, done, failed] = [delivery(), delivery(), delivery(), delivery()]
      const given = [fresh, waiting, done, failed]
      const one = occasion()
      const jobIds = await run(await plan(given.slice(1), one) as JobPlan[], one)
      const end = async ({ id }: Delivery, outcome: string): Promise<void> => {
        await query(
          'update jobs set coalesced_into = null, state = null, outcome = $2, finished_at = now() where id = $1',
          [jobIds.get(id), outcome]
        )
      }
      await end(done, 'succeeded')
      await end(failed, 'cancelled')
      const isReplayed = (plans: readonly unknown[]) => (plans as JobPlan[]).map(planned => planned.isReplayed)

      t.strictSame(isReplayed(await plan(given, occasion())), [false, true, true, false])
      t.strictSame(isReplayed(await plan(given, one)), [false, false, false, false], 'a repetition is no other replay')
      t.strictSame(
        await findReplayed(query, given.map(({ id }) => id)),
        new Set([waiting.id, done.id, failed.id])
      )
    })

    t.test('a plan names the reason of each delivery that is not replayed, and asks once for a connection', async t => {
      rows.loads.length = 0
      const unmapped = delivery()
      const plans = await plan([
        delivery(),
        { ...unmapped, event: unmapped.event && { ...unmapped.event, eventType: 'stock.changed' } },
        { ...unmapped, event: unmapped.event && { ...unmapped.event, eventType: unmappedType('carts') } },
        delivery({ connectionId: disabledId }),
        delivery({ connectionId: unknownId }),
        delivery({ event: null }),
        delivery({ createdAt: '2026-01-24T12:00:00.000Z' }),
        delivery({ createdAt: '2026-01-24T12:00:00.001Z' })
      ], occasion())

      t.match(plans, [
        { job: { connectionId: shopId } },
        { ignored: 'unknown event type' },
        { ignored: 'unwanted event type' },
        { refusal: { code: 'LNK_CONNECTION_DISABLED' } },
        { refusal: { code: 'LNK_CONNECTION_NOT_FOUND' } },
        { refusal: { code: 'LNK_DELIVERY_NOT_FOUND' } },
        { refusal: { code: 'LNK_DELIVERY_EXPIRED', statusCode: 410 } },
        { job: { connectionId: shopId } }
      ])
      t.strictSame(rows.loads.toSorted(), [unknownId, shopId, disabledId].toSorted())
    })

    t.test('all pages of one request use the same mapping', async t => {
      rows.loads.length = 0
      const planPage = createPlan(occasion())
      await planPage([delivery()])
      await planPage([delivery()])

      t.strictSame(rows.loads, [shopId])
    })

    t.test('a database that is away is no refusal', async t => {
      rows.failure = new Error('away')
      t.teardown(() => {
        rows.failure = undefined
      })
      await t.rejects(plan([delivery()], occasion()), { message: 'away' })
    })
  })
}
