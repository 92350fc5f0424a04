import t from 'tap'
import {
  demandRewrite,
  findReferenced,
  lockOfferStock,
  markEnded,
  readOfferStocks,
  readVersions,
  readWritten,
  storeCreated,
  storeLimits,
  storeWrittenFields,
  storeWrittenQuantities
} from '../../src/offers/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openMarket } from './market.ts'

const told = { code: 'marketplace', detail: 'no pictures' }
const problemsOf = (...codes: string[]) => [told, ...codes.map(code => ({ code, detail: 'a detail' }))]

t.test('stored offers', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  t.test("are found by the hub's id before the marketplace's, and only on their connection", async t => {
    const { market, shop, addOffer } = await openMarket(jobs)
    const id = await addOffer()
    const namesake = await addOffer({ external_id: id })

    t.match(await findReferenced(query, market, id), { id, status: 'ACTIVE' })
    t.match(await findReferenced(query, market, 'offer-1'), { id })
    t.match(await findReferenced(query, market, namesake), { id: namesake })
    t.equal(await findReferenced(query, shop, id), undefined)
  })

  t.test('have the stock of their variant, or none while the master tells none', async t => {
    const { variantId, addOffer } = await openMarket(jobs)
    const id = await addOffer({ quantity: 4, stock_version: 3, max_listed: 2 })
    const stock = { quantity: 5, sentQuantity: 4, sentVersion: 3, version: 1, linkVersion: 1, maxListed: 2 }

    t.match(await readOfferStocks(query, [id]), [{ id, ...stock }])
    t.match(await lockOfferStock(query, id), stock)
    t.match(await readWritten(query, id), { quantity: 5, reserved: 0, stockVersion: 1 })
    await query('delete from stock where variant_id = $1', [variantId])
    t.strictSame(await readOfferStocks(query, [id]), [])
    t.match(await readWritten(query, id), { id, quantity: null, reserved: null, stockVersion: null })
  })

  t.test('have versions by variant or by id, without those that ended or failed', async t => {
    const { variantId, addOffer } = await openMarket(jobs)
    const id = await addOffer({ link_version: 4 })
    const over = [
      await addOffer({ external_id: 'ended', status: 'ENDED' }),
      await addOffer({ external_id: 'failed', status: 'FAILED' })
    ]
    for (const chosen of [{ variantIds: [variantId] }, { offerIds: [id, ...over] }]) {
      t.match(await readVersions(query, chosen), [{ id, variantId, version: 1, linkVersion: 4 }])
      t.equal((await readVersions(query, chosen)).length, 1)
    }
    t.strictSame(await readVersions(query, { offerIds: over }), [])
  })

  t.test('get a new version of the link when their limits change, and only then', async t => {
    const { addOffer, offer } = await openMarket(jobs)
    const id = await addOffer({ buffer: 1, max_listed: 3 })
    const store = (limits: { buffer?: number, maxListed?: number | null }) => storeLimits(query, id, limits, new Date())

    t.equal(await store({ buffer: 1, maxListed: 3 }), false)
    t.equal(await store({ buffer: 1 }), false)
    t.match(await offer(id), { buffer: 1, max_listed: 3, link_version: 1 })
    t.equal(await store({ buffer: 2 }), true)
    t.match(await offer(id), { buffer: 2, max_listed: 3, link_version: 2 })
    t.equal(await store({ maxListed: null }), true)
    t.match(await offer(id), { buffer: 2, max_listed: null, link_version: 3 })
    t.equal(await store({ maxListed: 0 }), true)
    t.match(await offer(id), { max_listed: 0 })
  })

  t.test('are written again after their creation when the stock or the link changed meanwhile', async t => {
    const { addOffer, offer, setStock } = await openMarket(jobs)
    const offerId = await addOffer({ status: 'DRAFT' })
    const creation = { offerId, quantity: 5, title: 'Mug', price: { amount: '1.00', currency: 'PLN' } }
    const create = (stockVersion: number, linkVersion: number) =>
      storeCreated(query, { ...creation, stockVersion, linkVersion })

    t.equal(await create(1, 1), false)
    t.match(await offer(offerId), { quantity: 5, title: 'Mug', price: creation.price, created_upstream_at: /./ })
    await setStock(6)
    t.equal(await create(1, 1), true)
    t.match(await offer(offerId), { link_version: 2, sent_link_version: 1 })
    t.equal(await create(2, 1), true, 'somebody changed the limits')
    t.equal(await create(2, 2), false)
  })

  t.test('keep what the marketplace did not apply, and note what the seller froze', async t => {
    const { addOffer, offer, problems } = await openMarket(jobs)
    const offerId = await addOffer({
      title: 'Mug',
      frozen_fields: ['stock', 'price'],
      problems: problemsOf('change-not-written', 'quantity-refused')
    })
    const price = { amount: '1.00', currency: 'PLN' }
    const written = { offerId, title: 'Cup', price, applied: ['price'], frozen: ['title'] }
    await storeWrittenFields(query, written)

    t.match(await offer(offerId), { title: 'Mug', price, written_at: /./ })
    t.strictSame((await offer(offerId))?.frozen_fields, ['stock', 'title'])
    t.strictSame(await problems(offerId), problemsOf('quantity-refused'))
    await storeWrittenFields(query, { ...written, price: undefined, applied: ['title'], frozen: [] })
    t.match(await offer(offerId), { title: 'Cup', price })
    t.strictSame((await offer(offerId))?.frozen_fields, ['stock'])
  })

  t.test('end without the problems of the hub, and keep those of the marketplace', async t => {
    const { addOffer, offer, problems } = await openMarket(jobs)
    const codes = ['quantity-refused', 'not-looked-up', 'quantity-not-written', 'change-not-written', 'not-ended']
    const id = await addOffer({ problems: problemsOf(...codes) })
    await markEnded(query, id)

    t.match(await offer(id), { status: 'ENDED' })
    t.strictSame(await problems(id), [told])
  })

  t.test('lose the problems that a written quantity settles, and their freeze when it was sent', async t => {
    const { addOffer, offer, problems } = await openMarket(jobs)
    const offerId = await addOffer({
      quantity: 1,
      upstream_quantity: 1,
      frozen_fields: ['stock', 'title'],
      problems: problemsOf('quantity-refused', 'not-looked-up', 'quantity-not-written', 'change-not-written')
    })
    const other = await addOffer({ external_id: 'other' })
    const write = (isFrozen: boolean, isSent: boolean) =>
      storeWrittenQuantities(query, [
        { offerId, quantity: 5, stockVersion: 2, linkVersion: 1, isFrozen, isSent },
        { offerId: other, quantity: 7, stockVersion: 3, linkVersion: 2, isFrozen: false, isSent: true }
      ])
    await write(true, false)
    t.match(await offer(other), { quantity: 7, stock_version: 3, sent_link_version: 2 })
    t.match(await offer(offerId), {
      quantity: 1,
      upstream_quantity: 1,
      stock_version: 2,
      sent_link_version: 1,
      last_synced_at: null
    }, 'stock that is known to be frozen is not sent')
    t.strictSame((await offer(offerId))?.frozen_fields, ['stock', 'title'])
    t.strictSame(await problems(offerId), problemsOf('change-not-written'))
    const refusedLater = await addOffer({
      external_id: 'refused later',
      upstream_read_at: '2025-01-01T00:00:00.000Z',
      problems: problemsOf('quantity-refused', 'quantity-not-written')
    })
    const again = () =>
      storeWrittenQuantities(query, [
        { offerId: refusedLater, quantity: 5, stockVersion: 2, linkVersion: 1, isFrozen: false, isSent: true }
      ])
    t.match(await again(), [{ id: refusedLater }], 'an earlier job had failed')
    t.strictSame(await again(), [])
    t.strictSame(
      await problems(refusedLater),
      problemsOf('quantity-refused'),
      'the marketplace may refuse this one later, too: a reading settles it'
    )

    await write(true, true)
    t.match(await offer(offerId), { quantity: 1, last_synced_at: null }, 'the freeze held it back')
    await write(false, true)
    t.match(await offer(offerId), { quantity: 5, upstream_quantity: null, last_synced_at: /./ })
    t.strictSame((await offer(offerId))?.frozen_fields, ['title'])
    await write(true, false)
    t.strictSame((await offer(offerId))?.frozen_fields, ['title'], 'a reading has seen it thaw meanwhile')
    await write(true, true)
    t.strictSame((await offer(offerId))?.frozen_fields, ['stock', 'title'], 'the seller froze it meanwhile')
  })

  t.test('that were sold are demanded again while they are on sale', async t => {
    const { market, shop, addOffer, offer } = await openMarket(jobs)
    const id = await addOffer()
    const ended = await addOffer({ external_id: 'ended', status: 'ENDED' })
    const sold = [[market, 'offer-1'], [market, 'ended'], [market, 'unknown'], [shop, 'offer-1']] as const

    t.strictSame(
      await demandRewrite(query, sold.map(([connectionId, externalId]) => ({ connectionId, externalId }))),
      [id]
    )
    t.match([await offer(id), await offer(ended)], [{ link_version: 2 }, { link_version: 1 }])
  })
})
