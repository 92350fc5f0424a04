import type { Offer, OfferPatch } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { storeOutcomes } from '../../src/jobs/store-outcomes.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { createServices, handle, runJob, runningJob } from './fake-adapter.ts'

interface Row {
  quantity: number | null
  frozenFields: string[]
  isWritten: boolean
}

const price = { amount: '21.50', currency: 'PLN' }

for (const kind of kinds(t)) {
  t.test(`fields that the seller froze, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /**
     * Opens an offer that has all five pieces of a variant on sale. The marketplace shows a write
     * at once.
     */
    async function openMarket () {
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

      const shown: Offer = { externalId: 'offer-1', status: 'ACTIVE', quantity: 5, frozenFields: [], problems: [] }
      const writes: unknown[] = []
      const write = (fields: object): { applied: string[], frozen: string[] } => {
        writes.push(fields)
        const [frozen, applied] = [true, false].map(isFrozen =>
          Object.keys(fields).filter(field => shown.frozenFields.includes(field) === isFrozen)
        )
        return { applied: applied ?? [], frozen: frozen ?? [] }
      }
      const services = createServices(jobs, () => ({
        OfferManager: {
          updateOffer: (_externalId: string, patch: OfferPatch) => write(patch),
          updateOfferQuantity ({ quantity: stock }: { quantity: number }) {
            const result = write({ stock })
            if (result.applied.length > 0) shown.quantity = stock
            return result
          },
          getOffer: () => structuredClone(shown),
          listOffers: () => ({ items: [structuredClone(shown)] })
        }
      }))
      const quantityJob = () => runningJob('marketplace.offerQuantity.update', market, { offerId })
      return {
        offerId,
        shown,
        writes,
        services,
        setStock,
        quantityJob,
        writeQuantity: () => runJob(services, quantityJob()),
        change: (fields: OfferPatch) =>
          runJob(
            services,
            runningJob('marketplace.offer.updateFields', market, { offerId, fields })
          ),
        refresh: () => runJob(services, runningJob('marketplace.offers.sync', market, { offerId })),
        compare: () => runJob(services, runningJob('marketplace.offers.sync', market)),
        /** Returns the quantity jobs made so far. */
        queued: async () =>
          (await query(
            "select id from jobs where connection_id = $1 and job_type = 'marketplace.offerQuantity.update'",
            [market]
          )).length,
        offer: async () =>
          (await query<Row>(
            'select quantity, frozen_fields as "frozenFields", written_at is not null as "isWritten" from offers ' +
              'where id = $1',
            [offerId]
          ))[0]
      }
    }

    t.test('are left out of a change, and nothing is sent when all are', async t => {
      const { change, compare, offer, shown, writes } = await openMarket()
      shown.frozenFields = ['title']
      await compare()

      t.match(await change({ title: 'Mug' }), { result: { applied: { length: 0 }, frozen: ['title'] } })
      t.strictSame(writes, [])
      t.match(
        await offer(),
        { isWritten: false, frozenFields: ['title'] },
        'so what is shown is not older than a write'
      )
      t.match(await change({ title: 'Mug', price }), { result: { applied: ['price'], frozen: ['title'] } })
      t.strictSame(writes, [{ price }])
      t.match(await offer(), { frozenFields: ['title'] })
    })

    t.test('are written again once a reading has seen that they thawed', async t => {
      const { change, refresh, shown, writes } = await openMarket()
      shown.frozenFields = ['title']
      t.match(await change({ title: 'Mug' }), { result: { frozen: ['title'] } }, 'found out by the write')
      t.match(await change({ title: 'Mug' }), { result: { frozen: ['title'] } })
      t.equal(writes.length, 1)

      shown.frozenFields = []
      await refresh()
      t.match(await change({ title: 'Mug' }), { result: { applied: ['title'], frozen: { length: 0 } } })
    })

    for (const reading of ['refresh', 'compare'] as const) {
      t.test(`get no stock until ${reading} sees that they thawed, then the last quantity`, async t => {
        const market = await openMarket()
        await market.writeQuantity()
        market.shown.frozenFields = ['stock']
        await market[reading]()
        await market.setStock(3)
        const writes = market.writes.length

        t.match(await market.writeQuantity(), { result: { applied: { length: 0 }, frozen: ['stock'] } })
        t.match(await market[reading](), { result: { different: 0, frozen: 1 }, jobTypes: { length: 0 } })
        t.equal(market.writes.length, writes)
        t.match(await market.offer(), { quantity: 5, frozenFields: ['stock'] })

        market.shown.frozenFields = []
        const before = await market.queued()
        await market[reading]()
        t.equal(await market.queued(), before + 1, 'although it shows what was written last')
        t.match(await market.writeQuantity(), { result: { quantity: 3, applied: ['stock'] } })
        t.match([market.shown.quantity, await market.offer()], [3, { quantity: 3, frozenFields: { length: 0 } }])
        await market[reading]()
        t.equal(await market.queued(), before + 1)
      })
    }

    t.test('are written by the next job when stock thaws while a job leaves it out', async t => {
      const market = await openMarket()
      market.shown.frozenFields = ['stock']
      await market.compare()
      const outcome = await handle(market.services, market.quantityJob())
      market.shown.frozenFields = []
      await market.compare()
      await jobs.database.transaction(transaction => storeOutcomes(transaction, [outcome]))

      t.match(await market.offer(), { frozenFields: { length: 0 } })
      t.match(await market.writeQuantity(), { result: { quantity: 5, applied: ['stock'] } })
    })

    t.test('are compared even when the stock was frozen before its first write', async t => {
      const market = await openMarket()
      market.shown.frozenFields = ['stock']
      market.shown.quantity = 30
      await market.compare()
      await market.writeQuantity()

      t.strictSame(market.writes, [])
      t.match(await market.compare(), { result: { compared: 1, frozen: 1, different: 0 } })
    })
  })
}
