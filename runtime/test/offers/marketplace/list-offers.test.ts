import t from 'tap'
import { listMarketplaceOffers } from '../../../src/offers/marketplace/list-offers.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { longAgo } from '../market.ts'
import { openStand } from './support.ts'

t.test('the offers of a marketplace', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  /** Reads all pages; returns the ids of each. */
  async function pagesOf (connectionId: string, filter: Parameters<typeof listMarketplaceOffers>[2]) {
    const pages: string[][] = []
    for (let after: string | undefined = ''; after !== undefined;) {
      const { offers, next } = await listMarketplaceOffers(query, connectionId, { ...filter, after })
      pages.push(offers.map(({ externalId }) => externalId))
      after = next
    }
    return pages
  }

  t.test('are linked and unlinked ones in one order, whatever the size of a page', async t => {
    const { addOffer, market, name, show, variantIdOf } = await openStand(jobs)
    await name('v', { sku: 'SKU-1', name: 'Mug' })
    await name('w', { sku: 'SKU-2', ean: '222' })
    const linked = await addOffer({ external_id: 'b', title: 'A mug', upstream_quantity: 4, seen_at: longAgo })
    await addOffer({ external_id: 'd', variant_id: variantIdOf('w'), status: 'DRAFT', created_upstream_at: longAgo })
    for (const [externalId, status] of [['gone', 'ENDED'], ['never', 'FAILED'], ['soon', 'DRAFT']] as const) {
      await addOffer({ external_id: externalId, status })
    }
    await show('a', { sku: 'SKU-1', title: 'Cup', quantity: 9, price: { amount: '1.00', currency: 'PLN' } })
    await show('b')
    await show('c')

    const all = ['a', 'b', 'c', 'd']
    for (const limit of [1, 2, 3, 4, 50]) t.strictSame((await pagesOf(market, { limit })).flat(), all, `${limit}`)
    t.strictSame(await pagesOf(market, { limit: 50, state: 'linked' }), [['b', 'd']])
    t.strictSame(await pagesOf(market, { limit: 50, state: 'unlinked' }), [['a', 'c']])
    t.strictSame(await pagesOf(market, { limit: 50, state: 'ambiguous' }), [['a']])
    t.strictSame(await pagesOf(market, { limit: 50, state: 'none' }), [['c']])
    t.strictSame(await pagesOf(market, { limit: 50, state: 'certain' }), [[]])
    t.strictSame(await pagesOf(market, { limit: 50, q: 'MUG' }), [['b']])
    const { offers } = await listMarketplaceOffers(query, market, { limit: 2 })
    const { readAt, ...cup } = offers[0] ?? { readAt: null }
    t.match(readAt, /^\d{4}-.*Z$/)
    t.strictSame(cup, {
      externalId: 'a',
      title: 'Cup',
      reference: null,
      sku: 'SKU-1',
      ean: null,
      status: 'ACTIVE',
      upstreamStatus: null,
      price: { amount: '1.00', currency: 'PLN' },
      quantity: 9,
      link: {
        state: 'ambiguous',
        offerId: null,
        variant: null,
        suggestions: [{
          variantId: variantIdOf('v'),
          name: 'Mug',
          sku: 'SKU-1',
          ean: null,
          matchedBy: 'sku',
          certain: false,
          reason: 'variant-has-offer'
        }]
      }
    })
    t.match(offers[1], {
      externalId: 'b',
      title: 'A mug',
      quantity: 4,
      readAt: longAgo,
      link: {
        state: 'linked',
        offerId: linked,
        variant: { id: variantIdOf('v'), name: 'Mug', sku: 'SKU-1', ean: null },
        suggestions: { length: 0 }
      }
    })
  })

  t.test('of a filter that few meet come in short pages, none twice and none lost', async t => {
    const { market, name } = await openStand(jobs)
    await name('v', { sku: 'SKU-7' })
    await query(
      `
      insert into unlinked_offers (id, connection_id, external_id, title, sku, status, seen_at, created_at)
      select gen_random_uuid(), $1, to_char(n, 'FM00000'), case when n % 4000 = 7 then 'Mug' end,
        case when n = 12007 then 'SKU-7' end, 'ACTIVE', now(), now()
      from generate_series(1, 12100) as n`,
      [market]
    )
    await query('analyze unlinked_offers')

    t.strictSame(await pagesOf(market, { limit: 2, q: 'mug' }), [['00007', '04007'], ['08007', '12007'], []])
    t.strictSame(await pagesOf(market, { limit: 50, state: 'certain' }), [[], ['12007']])
    t.equal((await pagesOf(market, { limit: 200, state: 'none' })).flat().length, 12_099)
  })
})
