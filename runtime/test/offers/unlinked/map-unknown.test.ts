import type { Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../../src/catalog/identity.ts'
import { mapUnknown } from '../../../src/offers/unlinked/map-unknown.ts'
import { forgetRelease, listUnlinked, releaseOffer } from '../../../src/offers/unlinked/store.ts'
import { recordStock } from '../../../src/stock/record-stock.ts'
import { createServices, runJob, runningJob } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'

const shown = (externalId: string, more: Partial<Offer> = {}): Offer => ({
  externalId,
  status: 'ACTIVE',
  quantity: 9,
  frozenFields: [],
  problems: [],
  ...more
})

for (const kind of kinds(t)) {
  t.test(`offers that a marketplace shows and the hub does not know, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /** Opens a marketplace with a list of offers, and a shop with five pieces of a variant. */
    async function openMarket () {
      const [shop, market] = [await jobs.addConnection(), await jobs.addConnection()]
      await recordStock(jobs.database, { id: randomUUID(), connectionId: shop, claimedAt: '2026-01-01 00:00:00+00' }, [{
        productExternalId: 'p',
        variantExternalId: 'v',
        quantity: 5
      }])
      let list: Offer[] = []
      const services = createServices(jobs, () => ({
        OfferManager: {
          listOffers: () => ({ items: list }),
          getOffer: (externalId: string) => list.find(offer => offer.externalId === externalId)
        }
      }))
      return {
        market,
        variantId: variantIdOf(shop, 'p', 'v'),
        /** Compares the offers with those that the marketplace shows. */
        async compare (...offers: Offer[]) {
          list = offers
          return (await runJob(services, runningJob('marketplace.offers.sync', market))).result
        },
        unlinked: () => listUnlinked(query, { connectionId: market, limit: 50, after: undefined }),
        linked: () =>
          query<{ id: string, externalId: string, variantId: string, status: string }>(
            `
            select id, external_id as "externalId", variant_id as "variantId", status
            from offers
            where connection_id = $1
            order by external_id`,
            [market]
          ),
        quantityJobs: async () =>
          (await query(
            "select id from jobs where connection_id = $1 and job_type = 'marketplace.offerQuantity.update'",
            [market]
          )).length
      }
    }

    t.test('are kept as unlinked, or linked by their reference and written', async t => {
      const { compare, linked, quantityJobs, unlinked, variantId } = await openMarket()
      const foreign = randomUUID()
      const result = await compare(
        shown('1', { reference: variantId.toUpperCase(), status: 'INACTIVE', title: 'Mug', frozenFields: ['title'] }),
        shown('2', { reference: 'SKU-27', title: 'Cup', price: { amount: '1.00', currency: 'PLN' } }),
        shown('3', { reference: foreign }),
        shown('4'),
        shown('5', { reference: variantId, status: 'ENDED' })
      )

      t.match(result, { linked: 1, unlinked: 3 })
      t.match(await linked(), [{ externalId: '1', variantId, status: 'INACTIVE' }])
      t.equal(await quantityJobs(), 1)
      t.match(
        (await unlinked()).map(({ externalId, reference, title, quantity }) => [externalId, reference, title, quantity])
          .toSorted(),
        [['2', 'SKU-27', 'Cup', 9], ['3', foreign, null, 9], ['4', null, null, 9]]
      )
      t.match(await compare(shown('1', { reference: variantId }), shown('2', { title: 'Big cup' })), {
        linked: 0,
        unlinked: 1
      })
      t.match(
        (await unlinked()).map(({ externalId, title }) => [externalId, title]),
        [['2', 'Big cup']],
        'the hub forgets offers that the marketplace does not show any more'
      )
      t.equal(await quantityJobs(), 1)
    })

    t.test('are stored as far as the database can, whatever their id, texts and quantity', async t => {
      const { compare, unlinked, variantId } = await openMarket()
      const result = await compare(
        shown('a\0b'),
        shown('\ud800', { reference: variantId }),
        shown('1', { quantity: 9_000_000_000, title: 'Mug\0', reference: 'x'.repeat(5_000) })
      )

      t.match(result, { linked: 0, unlinked: 1 })
      t.match(await unlinked(), [{ externalId: '1', quantity: 2_147_483_647, title: 'Mug\ufffd' }])
    })

    t.test('are linked once their reference becomes a variant', async t => {
      const { compare, linked, unlinked, variantId } = await openMarket()
      await compare(shown('1', { reference: 'SKU-27' }))
      t.match(await compare(shown('1', { reference: variantId })), { linked: 1, unlinked: 0 })

      t.match(await linked(), [{ externalId: '1' }])
      t.strictSame(await unlinked(), [])
    })

    t.test('are not linked again after an operator unlinked them, even when they come and go', async t => {
      const { compare, linked, market, unlinked, variantId } = await openMarket()
      const offer = shown('1', { reference: variantId })
      await compare(offer)
      const [{ id = '' } = {}] = await linked()

      t.equal(await releaseOffer(query, id), true)
      t.equal(await releaseOffer(query, id), false)
      t.match(await unlinked(), [{ externalId: '1', status: 'ACTIVE', seenAt: /Z$/ }], 'it is listed at once')
      t.match(await compare(offer), { linked: 0, unlinked: 1 })
      await compare()
      t.strictSame(await unlinked(), [])
      t.match(await compare(offer), { linked: 0, unlinked: 1 })
      t.match(await unlinked(), [{ externalId: '1', reference: variantId }])

      await forgetRelease(query, market, ['1'])
      t.match(await compare(offer), { linked: 1 }, 'a link by an operator ends the mark')
    })

    t.test('are linked once by eight comparisons at a time', async t => {
      const { market, linked, variantId } = await openMarket()
      const offers = Array.from({ length: 20 }, (_, number) => shown(String(number), { reference: variantId }))
      const orders = [offers, offers.toReversed()]
      const map = (_: unknown, run: number) =>
        jobs.database.transaction(transaction => mapUnknown(transaction.query, market, orders[run % 2] ?? []))
      const mapped = await Promise.all(Array.from({ length: 8 }, map))

      t.equal(mapped.flatMap(({ linkedIds }) => linkedIds).length, 20)
      t.equal((await linked()).length, 20)
    })
  })
}
