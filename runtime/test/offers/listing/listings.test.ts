import { randomUUID } from 'node:crypto'
import t from 'tap'
import { productIdOf } from '../../../src/catalog/identity.ts'
import { createOfferChecks } from '../../../src/offers/check-offers.ts'
import { createListings } from '../../../src/offers/listing/listings.ts'
import type { Listing } from '../../../src/offers/listing/schemas.ts'
import { createServices, type Abilities } from '../../handlers/fake-adapter.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { openMarket } from '../market.ts'

const price = { amount: '10.00', currency: 'PLN' }
const listing = { price, overrides: { title: 'Mug' } }

t.test('listed variants', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  async function open (abilities: Abilities = { OfferManager: {} }) {
    const market = await openMarket(jobs, ['v', 'w'])
    const { connections, adapters, enqueueJobs } = createServices(jobs, () => abilities)
    const checks = createOfferChecks(adapters)
    const now = () => new Date('2026-01-31T10:00:00.000Z')
    return {
      ...market,
      listings: createListings({ database, connections, checks, enqueueJobs, now }),
      jobs: () => query('select id, job_type, payload from jobs'),
      offers: () => query('select id, status, create_job_id from offers where connection_id = $1', [market.market])
    }
  }
  const request = () => ({ operationId: randomUUID(), requestId: 'request' })

  t.test('become a draft and its creation job; a repeated request answers the same, another is refused', async t => {
    const { market, variantId, listings, jobs, offers } = await open()
    const first = request()
    const creation = await listings.listVariant(market, variantId, listing, first)
    const { offerId, jobId } = creation

    t.match(await offers(), [{ id: offerId, status: 'DRAFT', create_job_id: jobId }])
    t.match(await jobs(), [{
      id: jobId,
      job_type: 'marketplace.offer.create',
      payload: { offerId, offer: { title: 'Mug', price } }
    }])
    t.strictSame(await listings.listVariant(market, variantId, listing, first), creation)
    await t.rejects(listings.listVariant(market, variantId, listing, request()), {
      code: 'LNK_OFFER_ALREADY_LISTED',
      message: new RegExp(offerId)
    })
    t.equal((await jobs()).length, 1)
  })

  t.test('of a product leave those alone that have an offer', async t => {
    const { shop, market, variantId, variantIdOf, addOffer, listings, jobs } = await open()
    const offerId = await addOffer()
    const creations = await listings.listProduct(market, productIdOf(shop, 'p'), listing, request())

    t.strictSame(creations.map(creation => [creation.variantId, creation.jobId === undefined]), [
      [variantId, true],
      [variantIdOf('w'), false]
    ])
    t.match(creations[0], { offerId, status: 'ACTIVE', reason: /./ })
    t.equal((await jobs()).length, 1)
    await t.rejects(listings.listProduct(market, randomUUID(), listing, request()), { code: 'LNK_PRODUCT_NOT_FOUND' })
  })

  t.test('are stored all or none, together with the rows of the caller', async t => {
    const { market, variantId, variantIdOf, listings, jobs, offers } = await open()
    const wantedOf = (id: string, given: Listing = listing) => {
      return { variantId: id, listing: given, subject: '/variantId', locate: (pointer: string) => pointer }
    }
    const wanted = [wantedOf(variantId), wantedOf(variantIdOf('w'))]
    const opened = await listings.openListable(market)
    const failure = new Error('the batch cannot be stored')
    await t.rejects(
      listings.list(opened, wanted, request(), async () => {
        throw failure
      }),
      failure
    )
    t.strictSame([await jobs(), await offers()], [[], []])

    const withoutPrice = [wantedOf(variantId), wantedOf(variantIdOf('w'), {})]
    await t.rejects(listings.list(opened, withoutPrice, request()), { code: 'LNK_OFFER_INVALID' })
    t.strictSame([await jobs(), await offers()], [[], []])
    t.equal((await listings.list(opened, wanted, request())).length, 2)
  })

  t.test('must be known, on a connection that can create offers', async t => {
    const { market, variantId, listings } = await open()
    await t.rejects(listings.listVariant(market, randomUUID(), listing, request()), { code: 'LNK_VARIANT_NOT_FOUND' })
    await query('update variants set missing_at = now()')
    await t.rejects(listings.listVariant(market, variantId, listing, request()), { code: 'LNK_VARIANT_NOT_FOUND' })

    const unable = await open({ Marketplace: {} })
    await t.rejects(unable.listings.listVariant(unable.market, unable.variantId, listing, request()), {
      code: 'LNK_CAPABILITY_NOT_SUPPORTED'
    })
  })
})
