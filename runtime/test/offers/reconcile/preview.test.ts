import { NotFoundError, type Offer } from '@linker/sdk'
import t from 'tap'
import { previewReconcile } from '../../../src/offers/reconcile/preview.ts'
import { openedConnection } from '../../connections/support.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../market.ts'

const written = { quantity: 5, stock_version: 1, sent_link_version: 1, last_synced_at: longAgo }
const shown = (externalId: string, more: Partial<Offer> = {}): Offer => ({
  externalId,
  status: 'ACTIVE',
  quantity: 5,
  frozenFields: [],
  problems: [],
  ...more
})
const level = (variantExternalId: string, quantity: number) => ({ productExternalId: 'p', variantExternalId, quantity })

t.test('a preview of a reconciliation', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  /** Previews a connection whose adapter answers these pages, one after the other. */
  function preview (id: string, methods: Record<string, string[]>, ...pages: readonly unknown[]) {
    const answers = pages.values()
    const keeps: unknown[] = []
    const answer = previewReconcile({
      query,
      opened: openedConnection({ id, methods, visibleAfterMs: 60_000 }),
      requestId: 'request',
      signal: new AbortController().signal,
      adapters: {
        async call (_adapter, _connection, _target, _args, { keep }) {
          keeps.push(keep)
          const { value } = answers.next()
          if (value instanceof Error) throw value
          return value
        }
      }
    })
    return { answer, keeps }
  }
  const master = { InventoryMaster: ['listStock'] }
  const listing = { OfferManager: ['listOffers', 'getOffer'] }

  t.test('of a shop lists differing and unknown variants of all pages, and counts the missing ones', async t => {
    const { shop, variantIdOf } = await openMarket(jobs, ['a', 'b', 'c', 'd'])
    const { answer, keeps } = preview(
      shop,
      master,
      { items: [level('a', 5), level('b', 9), level('b', 4)], nextCursor: 'second' },
      { items: [level('new', 2), level('c', 5)] }
    )

    t.strictSame(await answer, {
      connectionId: shop,
      complete: true,
      seen: 4,
      changes: [
        { productExternalId: 'p', externalId: 'b', from: 5, to: 4 },
        { productExternalId: 'p', externalId: 'new', from: null, to: 2 }
      ],
      changed: 2,
      keeps: [],
      kept: 0,
      linked: 0,
      missing: 1,
      missingVariants: [
        {
          variantId: variantIdOf('d'),
          name: null,
          sku: null,
          productExternalId: 'p',
          externalId: 'd',
          quantity: 5
        }
      ],
      held: false
    })
    t.strictSame(keeps.map(keep => typeof keep), ['function', 'function'], 'nothing is kept for the adapter')
    t.strictSame(await query('select count(*)::integer as variants from variants'), [{ variants: 4 }])
    t.strictSame(await query('select distinct quantity from stock'), [{ quantity: 5 }])
  })

  t.test('of a shop that lists nothing says that a sweep would change nothing either', async t => {
    const { shop } = await openMarket(jobs)
    t.match(await preview(shop, master, { items: [] }).answer, { complete: true, seen: 0, missing: 1, held: true })
  })

  t.test('of a list without an end is refused', async t => {
    const { shop } = await openMarket(jobs)
    const page = { items: [level('v', 5)], nextCursor: 'same' }
    await t.rejects(preview(shop, master, page, page, page, page).answer, { code: 'LNK_ADAPTER_REJECTED' })
    await t.rejects(preview(shop, master, { items: [level('v', 9_000_000_000)] }).answer, {
      code: 'LNK_ADAPTER_REJECTED'
    })
  })

  t.test('of a marketplace lists what differs there and what was never written, each offer once', async t => {
    const { market, variantId, addOffer } = await openMarket(jobs)
    await addOffer({ ...written, external_id: 'same' })
    await addOffer({ ...written, external_id: 'differs' })
    await addOffer({ ...written, external_id: 'unwritten', quantity: 3, stock_version: 0 })
    await addOffer({ ...written, external_id: 'wished', quantity: 2 })
    await addOffer({ ...written, external_id: 'differs twice', quantity: 2 })
    const { answer } = preview(
      market,
      listing,
      { items: [shown('same'), shown('differs', { quantity: 4 }), { externalId: 'unreadable' }], nextCursor: '2' },
      {
        items: [
          shown('wished', { quantity: 2 }),
          shown('differs twice', { quantity: 1 }),
          shown('linkable', { reference: variantId })
        ]
      }
    )
    const found = await answer

    t.match(found, { complete: true, seen: 5, changed: 3, kept: 1, linked: 1, missing: 0 })
    t.strictSame(found.changes.toSorted((a, b) => a.externalId < b.externalId ? -1 : 1), [
      { externalId: 'differs', from: 4, to: 5 },
      { externalId: 'differs twice', from: 1, to: 5 },
      { externalId: 'unwritten', from: 3, to: 5 }
    ])
    t.strictSame(found.keeps, [{ externalId: 'wished', from: 2, to: 5, because: 'wished' }])
    t.strictSame(await query('select distinct link_version as link from offers'), [{ link: 1 }], 'nothing is written')
    t.strictSame(await query('select id from unlinked_offers'), [])
  })

  t.test('of a marketplace without a list reads its offers one by one', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const sorted = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
    for (const [index, id] of sorted.entries()) await addOffer({ ...written, id, external_id: String(index) })
    const methods = { OfferManager: ['getOffer'] }
    const { answer } = preview(market, methods, shown('0', { quantity: 1 }), new NotFoundError('no such offer'))

    t.match(await answer, { complete: true, seen: 1, changed: 1, changes: [{ externalId: '0', from: 1, to: 5 }] })
  })
})
