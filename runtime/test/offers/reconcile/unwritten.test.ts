import { RejectedError, TransientError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { variantIdOf } from '../../../src/catalog/identity.ts'
import { coreDeathEffectsOf, jobHandlerOf } from '../../../src/handlers/core-jobs.ts'
import { createJobWorker } from '../../../src/jobs/queue/job-worker.ts'
import { storeRefused } from '../../../src/offers/own-problems.ts'
import { quantityKey } from '../../../src/offers/quantity-jobs.ts'
import { findDrifting } from '../../../src/offers/reconcile/unwritten.ts'
import { recordStock } from '../../../src/stock/record-stock.ts'
import { createServices, runJob, runningJob } from '../../handlers/fake-adapter.ts'
import { drained, kinds, openJobsFor, workerDefaults } from '../../jobs/support.ts'

for (const kind of kinds(t)) {
  t.test(`stock that no job is about to write, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /** Opens a marketplace that may fail, with an offer of a variant with five pieces. */
    async function openMarket (t: Test) {
      await jobs.clear()
      const [shop, market, offerId] = [await jobs.addConnection(), await jobs.addConnection(), randomUUID()]
      let failure: Error | undefined
      let shown = 0
      let writes = 0
      const services = createServices(jobs, () => ({
        OfferManager: {
          updateOfferQuantity ({ quantity }: { quantity: number }) {
            writes += 1
            if (failure !== undefined) throw failure
            shown = quantity
            return { applied: ['stock'], frozen: [] }
          },
          getOffer: (externalId: string) => ({
            externalId,
            status: 'ACTIVE',
            quantity: shown,
            frozenFields: [],
            problems: []
          })
        }
      }))
      const worker = createJobWorker({
        ...workerDefaults,
        database: jobs.database,
        enqueueJobs: services.enqueueJobs,
        log: jobs.log,
        random: () => 0,
        findDeathEffects: coreDeathEffectsOf,
        findHandler (jobType) {
          return jobType.startsWith('master.') ? undefined : jobHandlerOf(jobType, services)
        }
      })
      t.teardown(() => worker.stop())
      worker.start()

      /** Waits until every job has ended, and makes waiting jobs due. */
      async function work (): Promise<void> {
        const hurry = setInterval(() => {
          jobs.makeDue().catch(() => undefined)
        }, 50)
        await drained(jobs).finally(() => {
          clearInterval(hurry)
        })
      }
      async function storeStock (quantity: number): Promise<void> {
        const [{ now = '' } = {}] = await query<{ now: string }>('select clock_timestamp()::text as now')
        await jobs.database.transaction(async transaction => {
          const found = [{ productExternalId: 'p', variantExternalId: 'v', quantity }]
          await services.enqueueJobs(
            await recordStock(transaction, { id: randomUUID(), connectionId: shop, claimedAt: now }, found),
            transaction
          )
        })
      }
      async function setStock (quantity: number): Promise<void> {
        await storeStock(quantity)
        await work()
      }
      const look = async (payload: { offerId?: string } = {}) =>
        (await runJob(services, runningJob('marketplace.offers.sync', market, payload))).result
      await setStock(0)
      await query(
        `
        insert into offers (
          id, connection_id, variant_id, external_id, status,
          frozen_fields, problems, created_at, updated_at
        )
        values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
        [offerId, market, variantIdOf(shop, 'p', 'v')]
      )
      await setStock(5)
      return {
        offerId,
        market,
        drifting: async () =>
          (await findDrifting(query, market, undefined)).offers.map(
            ({ sent, wanted, keptBecause = 'nothing' }) => [sent, wanted, keptBecause]
          ),
        storeStock,
        setStock,
        look,
        work,
        stop: () => worker.stop(),
        async enqueueQuantity () {
          const [{ version = 0, link = 0 } = {}] = await query<{ version: number, link: number }>(
            'select stock.version, link_version as link from offers join stock using (variant_id) where offers.id = $1',
            [offerId]
          )
          await services.enqueueJobs([{
            jobType: 'marketplace.offerQuantity.update',
            connectionId: market,
            payload: { offerId },
            idempotencyKey: quantityKey({ id: offerId, connectionId: market, version, linkVersion: link })
          }])
        },
        fail (error: Error | undefined) {
          failure = error
        },
        shown: () => shown,
        writes: () => writes,
        async compare (payload: { offerId?: string } = {}) {
          const result = await look(payload)
          await work()
          return result
        }
      }
    }

    t.test('is written when the marketplace is back', async t => {
      const market = await openMarket(t)
      market.fail(new TransientError('away'))
      await market.setStock(0)
      t.equal(market.shown(), 5, 'ten attempts were made')

      market.fail(undefined)
      t.match(await market.compare(), { unwritten: 1 })
      t.equal(market.shown(), 0)
      const writes = market.writes()
      t.match(await market.compare(), { unwritten: 0 })
      t.equal(market.writes(), writes)
    })

    t.test('is left to the job that is about to write it', async t => {
      const market = await openMarket(t)
      await market.stop()
      await market.storeStock(3)
      await market.enqueueQuantity()

      t.match(await market.look(), { unwritten: 0 })
    })

    t.test('is tried again after a refusal when an operator asks, or by the next hourly comparison', async t => {
      const market = await openMarket(t)
      market.fail(new RejectedError('no more than 4'))
      await market.setStock(6)
      market.fail(undefined)

      t.match(await market.compare(), { unwritten: 0 })
      t.equal(market.shown(), 5)
      await market.compare({ offerId: market.offerId })
      t.equal(market.shown(), 6)

      market.fail(new RejectedError('no more than 6'))
      await market.setStock(7)
      const refusedAt = (minutes: number) =>
        query(
          `update jobs set finished_at = now() - interval '1 minute' * $2
          where connection_id = $1 and died_at is not null`,
          [market.market, minutes]
        )
      market.fail(undefined)
      await refusedAt(19)
      t.match(await market.compare(), { unwritten: 0 })
      t.strictSame(await market.drifting(), [[6, 7, 'refused']])
      await refusedAt(21)
      t.strictSame(await market.drifting(), [[6, 7, 'nothing']])
      t.match(await market.compare(), { unwritten: 1 })
      t.equal(market.shown(), 7)
      t.strictSame(
        await query('select 1 from jobs where connection_id = $1 and died_at is not null', [market.market]),
        [],
        'the dead jobs are outdated'
      )
    })

    t.test('waits for the next hourly comparison after a late refusal, unless the stock changes', async t => {
      const market = await openMarket(t)
      const told = async () => ({
        problems: (await query<{ code: string }>(
          "select jsonb_array_elements(problems) ->> 'code' as code from offers where id = $1",
          [market.offerId]
        )).map(({ code }) => code),
        dead:
          (await query('select 1 from jobs where connection_id = $1 and died_at is not null', [market.market])).length
      })
      await market.compare()
      await market.setStock(6)
      await storeRefused(query, market.market, [{ externalId: 'offer-1', quantity: 6, message: 'no more than 5' }])
      t.strictSame(await told(), { problems: ['quantity-refused'], dead: 1 }, 'the job that wrote it is dead')

      t.match(await market.compare(), { unwritten: 0 })
      t.strictSame(await market.drifting(), [[null, 6, 'refused']])
      t.strictSame(await told(), { problems: ['quantity-refused'], dead: 1 }, 'a reading does not forget it')

      const writes = market.writes()
      await market.setStock(4)
      t.equal(market.writes(), writes + 1)
      t.strictSame(await told(), { problems: ['quantity-refused'], dead: 1 }, 'this one may be refused later, too')
      await market.compare()
      t.strictSame(await told(), { problems: [], dead: 0 }, 'the marketplace shows it')
    })

    t.test('is listed with the reason that keeps a comparison from writing it', async t => {
      const market = await openMarket(t)
      t.strictSame(await market.drifting(), [])
      market.fail(new TransientError('away'))
      await market.setStock(3)
      t.strictSame(await market.drifting(), [[5, 3, 'nothing']], 'a comparison makes another job')
      market.fail(new RejectedError('no more than 4'))
      await market.setStock(6)
      t.strictSame(await market.drifting(), [[5, 6, 'refused']])
      await market.stop()
      await market.storeStock(7)
      t.strictSame(await market.drifting(), [[5, 7, 'nothing']])
      await market.enqueueQuantity()
      t.strictSame(await market.drifting(), [[5, 7, 'under-way']])

      await query('update offers set frozen_fields = \'["stock"]\' where id = $1', [market.offerId])
      t.strictSame(await market.drifting(), [[5, 7, 'frozen']])
      await query("update offers set status = 'DRAFT' where id = $1", [market.offerId])
      t.strictSame(await market.drifting(), [[5, 7, 'not-created']])
      await query("update offers set status = 'ENDED' where id = $1", [market.offerId])
      t.strictSame(await market.drifting(), [])
    })

    t.test('is written to a failed offer that the marketplace shows after all', async t => {
      const market = await openMarket(t)
      await query("update offers set status = 'FAILED' where id = $1", [market.offerId])
      await market.setStock(0)
      await query('update offers set stock_version = null, last_synced_at = null where id = $1', [market.offerId])
      // A job of this version ended while the offer was failed.
      await market.enqueueQuantity()
      await market.work()
      t.equal(market.shown(), 5)

      await market.compare({ offerId: market.offerId })
      t.equal(market.shown(), 0)
    })
  })
}
