import { NotFoundError, type JobOutcome, type Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { problemDetails } from '../orders/statements.ts'
import { createServices, runJob, runningJob, type Abilities } from './fake-adapter.ts'

const written = { applied: ['stock'], frozen: [] }

function shown (more: Partial<Offer> = {}): Offer {
  return { externalId: 'offer-1', status: 'ACTIVE', quantity: 5, frozenFields: [], problems: [], ...more }
}

for (const kind of kinds(t)) {
  t.test(`offers of a marketplace that takes commands, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /**
     * Opens an offer of a variant with five pieces; the marketplace shows writes at once unless
     * `visibleAfterMs` says otherwise. `offer` returns the present row of the offer.
     */
    async function openMarket (more: Abilities[string] = {}, options: { visibleAfterMs?: number } = {}) {
      const [shop, market, offerId] = [await jobs.addConnection(), await jobs.addConnection(), randomUUID()]
      const setStock = async (quantity: number): Promise<void> => {
        const [{ now = '' } = {}] = await query<{ now: string }>('select clock_timestamp()::text as now')
        await recordStock(jobs.database, { id: randomUUID(), connectionId: shop, claimedAt: now }, [{
          productExternalId: 'p',
          variantExternalId: 'v',
          quantity
        }])
      }
      await setStock(5)
      await query(
        `
        insert into offers (id, connection_id, variant_id, external_id, status, frozen_fields, problems, created_at,
          updated_at)
        values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
        [offerId, market, variantIdOf(shop, 'p', 'v')]
      )
      const quantities: number[] = []
      let outcome: JobOutcome = {}
      const services = createServices(jobs, () => ({
        Marketplace: {
          updateOfferQuantity ({ quantity }: { quantity: number }) {
            quantities.push(quantity)
            return written
          },
          ...more
        },
        jobs: { 'market.events': () => outcome }
      }), options)
      const writeQuantity = () => runJob(services, runningJob('marketplace.offerQuantity.update', market, { offerId }))
      return {
        market,
        offerId,
        quantities,
        services,
        setStock,
        writeQuantity,
        /** The adapter's own job finds the refusal. */
        find (found: JobOutcome) {
          outcome = found
          return runJob(services, runningJob('market.events', market))
        },
        refresh: () => runJob(services, runningJob('marketplace.offers.sync', market, { offerId })),
        queued: async () =>
          (await query<{ queued: number }>(
            'select count(*)::integer as queued from jobs where connection_id = $1 and job_type = ' +
              "'marketplace.offerQuantity.update'",
            [market]
          ))[0],
        offer: async () =>
          (await query<{ status: string, quantity: number | null, problems: string[] }>(
            `select status, quantity, ${problemDetails}, title, price from offers where id = $1`,
            [offerId]
          ))[0]
      }
    }

    t.test('are taken over from an adapter job, and a quantity that differs is written again', async t => {
      const { find, offer, quantities, writeQuantity } = await openMarket()
      await writeQuantity()

      t.match(await find({ offers: [shown()] }), { result: { offers: 1 }, jobTypes: { length: 0 } })
      t.match(await find({ offers: [shown({ quantity: 9_000_000_000 })] }), {
        jobTypes: ['marketplace.offerQuantity.update']
      }, 'also by more than can be stored')
      await writeQuantity()
      t.match(await find({ offers: [shown({ status: 'INACTIVE', quantity: 4, problems: ['no pictures'] })] }), {
        jobTypes: ['marketplace.offerQuantity.update']
      })
      t.match(await offer(), { status: 'INACTIVE', problems: ['no pictures'] })
      t.match(await writeQuantity(), { result: { quantity: 5 } })
      t.match(await offer(), { problems: ['no pictures'] }, 'what the marketplace says itself stays')
      t.strictSame(quantities, [5, 5, 5])
    })

    t.test('say that their quantity was refused until a reading shows a later one', async t => {
      const { find, offer, quantities, writeQuantity, setStock, refresh } = await openMarket({
        getOffer: () => shown({ quantity: 1 })
      })
      await writeQuantity()

      const refusalOf = (quantity: number) => ({
        refusedQuantities: [{ externalId: 'offer-1', quantity, message: 'at most 3' }, {
          externalId: 'offer-1',
          quantity,
          message: 'at most 2'
        }, { externalId: 'unknown', quantity, message: 'who' }]
      })
      t.match(await find({ offers: [shown({ quantity: 5 })], ...refusalOf(5) }), {
        result: { offers: 1, refusedQuantities: 3 },
        jobTypes: { length: 0 }
      })
      t.match(
        await offer(),
        { quantity: null, problems: ['the marketplace refused the quantity: at most 2'] },
        'the last one alone'
      )

      t.match(
        await find({ offers: [shown({ quantity: 1 })] }),
        { jobTypes: { length: 0 } },
        'a reading that shows another quantity'
      )
      const refused = { problems: ['the marketplace refused the quantity: at most 2'] }
      t.match(await offer(), refused)

      await setStock(3)
      t.match(await writeQuantity(), { result: { quantity: 3 } })
      t.match(await offer(), { quantity: 3, ...refused }, 'the marketplace may refuse this one, too')
      await find({ offers: [shown({ quantity: 3 })] })
      t.match(await offer(), { quantity: 3, problems: { length: 0 } })

      await find(refusalOf(3))
      t.match(await refresh(), { jobTypes: ['marketplace.offerQuantity.update'] }, 'an operator asks for it')
      await writeQuantity()
      t.strictSame(quantities, [5, 3, 3])
    })

    t.test('stay as they are when a refusal is about an older quantity, and are still compared', async t => {
      const { find, offer, writeQuantity } = await openMarket()
      await writeQuantity()

      t.match(await find({ refusedQuantities: [{ externalId: 'offer-1', quantity: 4, message: 'at most 3' }] }), {
        jobTypes: { length: 0 }
      })
      t.match(await offer(), { quantity: 5, problems: { length: 0 } })
      t.match(await find({ offers: [shown({ quantity: 9 })] }), { jobTypes: ['marketplace.offerQuantity.update'] })
    })

    t.test('are read one by one when the adapter can, and only listed when it cannot', async t => {
      let answer: () => Offer = () => shown({ quantity: 2 })
      const single = await openMarket({ getOffer: () => answer(), listOffers: () => ({ items: [] }) })
      const listOnly = await openMarket({ listOffers: () => ({ items: [] }) })
      await single.writeQuantity()

      t.match(await single.refresh(), {
        result: {
          compared: 1,
          different: 1,
          found: { exists: true, quantity: 2, hub: { quantity: 5 }, differs: ['quantity'], staleUntil: null }
        }
      })
      t.match(await single.queued(), { queued: 1 })
      await t.rejects(listOnly.refresh(), { code: 'LNK_ADAPTER_REJECTED', message: /can only list offers/ })

      await single.writeQuantity()
      answer = () => {
        throw new NotFoundError('no such offer')
      }
      t.match(await runJob(single.services, runningJob('marketplace.offers.sync', single.market)), {
        result: { statusChanged: 1 }
      }, 'one that the list leaves out is looked up')
      t.match(await single.offer(), { status: 'ENDED' })
    })

    t.test('are read within the lag of a write, and what is found there decides nothing', async t => {
      const { refresh, queued, writeQuantity, offer } = await openMarket(
        { getOffer: () => shown({ status: 'INACTIVE', quantity: 2 }) },
        { visibleAfterMs: 60_000 }
      )
      await writeQuantity()

      t.match(await refresh(), {
        result: {
          skipped: 'the marketplace may not show the last write yet',
          found: {
            quantity: 2,
            hub: { status: 'ACTIVE', quantity: 5 },
            differs: ['status', 'quantity'],
            staleUntil: /Z$/
          }
        }
      })
      t.match(await offer(), { status: 'ACTIVE' })
      t.match(await queued(), { queued: 0 })
    })

    t.test('keep what they showed before a write with the job that wrote over it', async t => {
      const { offerId, refresh, writeQuantity } = await openMarket({ getOffer: () => shown({ quantity: 2 }) })
      await writeQuantity()
      await refresh()

      t.match(await writeQuantity(), {
        result: { quantity: 5, replaced: { shown: 2, written: 5, readAt: /^\d{4}-.*Z$/ } }
      })
      await query('update offers set link_version = link_version + 1 where id = $1', [offerId])
      t.match(await writeQuantity(), { result: { quantity: 5, replaced: undefined } }, 'nothing was read since')
    })

    t.test('are changed and ended by the methods that the adapter has', async t => {
      const calls: unknown[][] = []
      const able = await openMarket({
        updateOffer (...args: unknown[]) {
          calls.push(args)
          return { applied: ['price'], frozen: ['title'] }
        },
        endOffer (...args: unknown[]) {
          calls.push(args)
        }
      })
      const unable = await openMarket()
      const fields = { price: { amount: '21.50', currency: 'PLN' }, title: 'Mug' }
      const change = ({ market, offerId, services }: typeof able) =>
        runJob(services, runningJob('marketplace.offer.updateFields', market, { offerId, fields }))
      const end = ({ market, offerId, services }: typeof able) =>
        runJob(services, runningJob('marketplace.offer.end', market, { offerId }))

      t.match(await change(able), { result: { frozen: ['title'] } })
      t.match(await able.offer(), { price: fields.price, title: null })
      await end(able)
      t.match(await able.offer(), { status: 'ENDED' })
      t.strictSame(calls, [['offer-1', fields], ['offer-1']])
      await t.rejects(change(unable), { code: 'LNK_CAPABILITY_NOT_SUPPORTED', message: /Marketplace\.updateOffer/ })
      await t.rejects(end(unable), { code: 'LNK_CAPABILITY_NOT_SUPPORTED', message: /Marketplace\.endOffer/ })
    })
  })
}
