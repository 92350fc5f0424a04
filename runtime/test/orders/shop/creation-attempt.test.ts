import {
  AuthenticationError,
  ConfigurationError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransientError,
  UnavailableError,
  type CreatedOrder,
  type NewOrder
} from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../../src/catalog/identity.ts'
import { decide } from '../../../src/jobs/retry-policy.ts'
import { orderIdOf } from '../../../src/orders/ingest-order.ts'
import { recordStock } from '../../../src/stock/record-stock.ts'
import { createServices, runJob, runningJob, type Abilities } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'

const first = { failures: 0, unavailableMs: 0 }
const refused = new TransientError('POST https://shop.test/orders failed before it was sent: ECONNREFUSED', {
  cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
})
const answered = [
  new UnavailableError('maintenance page, 503'),
  new RejectedError('Country PL not found'),
  new NotFoundError('no such product'),
  new AuthenticationError('bad key'),
  new ConfigurationError('no such currency'),
  new RateLimitedError('slowly'),
  refused
]
const unanswered = [
  new OutcomeUnknownError('no answer in time'),
  new TransientError('503'),
  new Error('the process that ran the adapter died')
]

for (const kind of kinds(t)) {
  t.test(`attempts to make an order in a shop that goes on when the client gives up, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /**
     * Opens a paid order. `make` is the shop's answer to the request to make it; `shown` is the
     * order that the shop finds.
     */
    async function openOrder () {
      const [shop, market] = [await jobs.addConnection(), await jobs.addConnection()]
      await query(
        'update connections set capabilities = \'["InventoryMaster", "OrderProcessorManager"]\' where id = $1',
        [shop]
      )
      const [{ now = '' } = {}] = await query<{ now: string }>('select clock_timestamp()::text as now')
      await recordStock(jobs.database, { id: randomUUID(), connectionId: shop, claimedAt: now }, [{
        productExternalId: 'p',
        variantExternalId: 'v',
        quantity: 5
      }])
      await query(
        `
        insert into offers (
          id, connection_id, variant_id, external_id, status,
          frozen_fields, problems, created_at, updated_at
        )
        values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
        [randomUUID(), market, variantIdOf(shop, 'p', 'v')]
      )
      const state: {
        make: () => CreatedOrder | Promise<CreatedOrder>,
        shown: CreatedOrder | null,
        asked: number,
        references: string[]
      } = { make: () => ({ externalId: '77' }), shown: null, asked: 0, references: [] }
      const createOrder = (_order: NewOrder, { reference }: { reference: string }) => {
        state.asked += 1
        state.references.push(reference)
        return state.make()
      }
      const abilities: Record<string, Abilities> = {
        [shop]: { OrderProcessorManager: { createOrder, findOrder: () => state.shown } },
        [market]: { Marketplace: { getOrder: () => orderOf('o1') } }
      }
      const services = createServices(jobs, id => abilities[id] ?? {})
      await runJob(services, runningJob('marketplace.order.syncByExternalId', market, { externalId: 'o1' }))
      const orderId = orderIdOf(market, 'o1')
      const create = (id = orderId) => runJob(services, runningJob('master.order.create', shop, { orderId: id }))
      return {
        state,
        create,
        orderId,
        shop,
        /** Returns the decision on the job of a failed attempt. */
        verdict: async () =>
          create().then(() => {
            throw new Error('the attempt did not fail')
          }, (error: unknown) => decide(error, first, () => 1)),
        pass: (seconds: number) =>
          query(
            "update orders set creation_unsure_until = creation_unsure_until - $2 * interval '1 second' where id = $1",
            [orderId, seconds]
          ),
        set: (change: string) => query(`update orders set ${change} where id = $1`, [orderId]),
        order: async () =>
          (await query<{ status: string, destination: string | null }>(
            'select status, destination_external_id as destination from orders where id = $1',
            [orderId]
          ))[0]
      }
    }

    function fail (error: unknown): () => never {
      return () => {
        throw error
      }
    }

    for (const error of unanswered) {
      t.test(`after "${error.message}" the next attempt waits, and finds the order when the shop has it`, async t => {
        const { state, verdict, create, order, pass } = await openOrder()
        state.make = fail(error)
        t.match(await verdict(), { kind: 'retry' })

        const wait = await verdict()
        t.match(wait, { kind: 'wait', problem: { message: /may still be creating it/ } })
        t.ok('delayMs' in wait && wait.delayMs > 30_000 && wait.delayMs <= 60_000, JSON.stringify(wait))
        await pass(10)
        t.match(await verdict(), { kind: 'wait' })
        state.shown = { externalId: '78' }
        await create()
        t.match(await order(), { status: 'created', destination: '78' })
        t.equal(state.asked, 1)
      })
    }

    t.test('an order that the shop never showed is made again when the attempt must be over', async t => {
      const { state, verdict, create, order, pass } = await openOrder()
      state.make = fail(unanswered[0])
      await verdict()
      await pass(61)
      state.make = () => ({ externalId: '77' })

      await create()
      t.match(await order(), { status: 'created', destination: '77' })
      t.equal(state.asked, 2)
    })

    for (const error of answered) {
      t.test(`after "${error.message}" the next attempt does not wait`, async t => {
        const { state, create, order } = await openOrder()
        state.make = fail(error)
        await t.rejects(create(), { message: error.message })
        state.make = () => ({ externalId: '77' })

        await create()
        t.match(await order(), { status: 'created', destination: '77' })
      })
    }

    t.test('after the death of a process the next attempt waits for the longest run of a job', async t => {
      const { state, verdict, create, pass } = await openOrder()
      const made = Promise.withResolvers<CreatedOrder>()
      const asked = Promise.withResolvers<void>()
      state.make = () => {
        asked.resolve()
        return made.promise
      }
      const first = create()
      await asked.promise
      const wait = await verdict()
      t.ok(wait.kind === 'wait' && wait.delayMs > 60_000 && wait.delayMs <= 120_000, JSON.stringify(wait))
      t.equal(state.asked, 1)
      await pass(3_600)
      state.make = () => ({ externalId: '77' })
      await create()
      t.equal(state.asked, 2)
      made.resolve({ externalId: '77' })
      await first
    })

    t.test('an order has one reference, in whatever case its id is written', async t => {
      const { state, create, orderId } = await openOrder()
      await create(orderId.toUpperCase())
      t.strictSame(state.references, [orderId])
    })

    t.test('a time from a server whose clock was far ahead keeps no attempt waiting', async t => {
      const { create, set, order } = await openOrder()
      await set("creation_begun_at = now(), creation_unsure_until = now() + interval '1 day'")
      await create()
      t.match(await order(), { status: 'created' })
    })

    t.test('a time a little ahead, from a transaction that began a moment later, keeps the next waiting', async t => {
      const { state, verdict, set } = await openOrder()
      await set("creation_begun_at = now(), creation_unsure_until = now() + interval '130 seconds'")
      t.match(await verdict(), { kind: 'wait' })
      t.equal(state.asked, 0)
    })

    t.test('only one of two attempts that begin at once asks the shop', async t => {
      const { state, create } = await openOrder()
      const otherEnded = Promise.withResolvers<void>()
      state.make = async () => {
        // A second attempt must not wait for the first: the test would not end.
        if (state.asked > 1) otherEnded.resolve()
        await otherEnded.promise
        return { externalId: '77' }
      }
      const both = [create(), create()].map(attempt =>
        attempt.then(() => 'made', (error: unknown) => {
          otherEnded.resolve()
          return error
        })
      )

      t.strictSame(
        (await Promise.all(both)).map(end => end === 'made' ? end : decide(end, first, () => 1).kind).toSorted(),
        ['made', 'wait']
      )
      t.equal(state.asked, 1)
    })

    t.test('a cancelled order is looked for until the attempt is over, and cancelled when found', async t => {
      const { state, verdict, create, set, pass, order } = await openOrder()
      state.make = fail(unanswered[0])
      await verdict()
      await set("status = 'cancelled'")
      t.match(await verdict(), { kind: 'wait' })

      state.shown = { externalId: '78' }
      t.ok((await create()).jobTypes.includes('master.order.cancel'))
      t.match(await order(), { status: 'cancelled', destination: '78' })

      const other = await openOrder()
      other.state.make = fail(unanswered[0])
      await other.verdict()
      await other.set("status = 'cancelled'")
      await other.pass(61)
      t.match(await other.create(), { result: { skipped: 'the order is cancelled' } })
      t.strictSame([other.state.asked, await pass(0)], [1, []])
    })
  })
}
