import t from 'tap'
import type { Position } from '../../src/http/paging.ts'
import { clearStock, findStock, listStockOf, takeUnread, type StockFilter } from '../../src/stock/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { longAgo, openMarket } from '../offers/market.ts'

t.test('the stock of variants', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database
  const find = async (filter: Partial<StockFilter> = {}) =>
    (await findStock(query, { limit: 50, after: undefined, ...filter })).map(({ id }) => id)

  t.test('is found page by page in the order in which the variants became known', async t => {
    const { shop, variantIdOf } = await openMarket(jobs, ['a', 'b', 'c'])
    await query('update variants set created_at = $1', [longAgo])
    await query("update variants set created_at = '2026-01-01T00:00:00Z' where external_id = 'a'")
    const ids = [...[variantIdOf('b'), variantIdOf('c')].toSorted(), variantIdOf('a')]
    const after: Position = { createdAt: longAgo, id: ids[0] ?? '' }

    t.strictSame(await find(), ids)
    t.strictSame(await find({ limit: 2 }), ids.slice(0, 2))
    t.strictSame(await find({ connectionId: shop, after }), ids.slice(1))
    t.match(await findStock(query, { limit: 1, after: undefined }), [{ createdAt: longAgo, missingSince: null }])
  })

  t.test('is found by its master and by the marketplaces that offer the variant', async t => {
    const one = await openMarket(jobs)
    const other = await openMarket(jobs)
    await one.addOffer({ connection_id: other.market })

    t.strictSame(await find({ connectionId: one.shop }), [one.variantId])
    t.strictSame(await find({ connectionId: other.market }), [one.variantId])
    t.strictSame(await find({ connectionId: one.market }), [])
    t.strictSame(await find({ variantId: other.variantId }), [other.variantId])
    t.strictSame(await find({ variantId: other.variantId, connectionId: one.shop }), [])
  })

  t.test('is found by the names of the variant and comes with them', async t => {
    const { shop, variantIdOf } = await openMarket(jobs, ['v', 'w'])
    await query("update products set name = 'Mug' where connection_id = $1", [shop])
    await query("update variants set sku = 'SKU-1', ean = '590' where id = $1", [variantIdOf('v')])
    await query("update variants set name = 'Red' where id = $1", [variantIdOf('w')])
    const both = [variantIdOf('v'), variantIdOf('w')].toSorted()

    t.match(await findStock(query, { limit: 50, after: undefined, q: ' sku' }), [{
      id: variantIdOf('v'),
      name: 'Mug',
      sku: 'SKU-1',
      ean: '590'
    }])
    t.strictSame((await find({ q: 'MUG' })).toSorted(), both)
    t.strictSame((await find({ q: 'p' })).toSorted(), both, "the shop's id of the product")
    t.strictSame(await find({ q: 'red' }), [variantIdOf('w')])
    t.strictSame(await find({ q: 'red', variantId: variantIdOf('v') }), [])
    t.strictSame(await find({ q: 'nothing' }), [])
  })

  t.test('drifts while an offer on sale was written with, or shows, another quantity than it should', async t => {
    const { variantIdOf, addOffer } = await openMarket(jobs, [
      'same',
      'limited',
      'drifting',
      'unwritten',
      'changed',
      'frozen',
      'over'
    ])
    const offers = {
      same: { quantity: 5 },
      limited: { quantity: 2, buffer: 1, max_listed: 2 },
      drifting: { quantity: 4 },
      unwritten: { quantity: null },
      changed: { quantity: 5, upstream_quantity: 99 },
      frozen: { quantity: 5, upstream_quantity: 99, frozen_fields: ['stock'] },
      over: { quantity: 9, status: 'ENDED' }
    }
    for (const [name, columns] of Object.entries(offers)) {
      await addOffer({ external_id: name, variant_id: variantIdOf(name), ...columns })
    }
    const idsOf = (...names: string[]) => names.map(name => variantIdOf(name)).toSorted()

    t.strictSame((await find({ drift: true })).toSorted(), idsOf('drifting', 'unwritten', 'changed'))
    t.strictSame((await find({ drift: false })).toSorted(), idsOf('same', 'limited', 'frozen', 'over'))
  })

  t.test('comes with every offer of the variant, whatever its state', async t => {
    const { market, variantId, addOffer } = await openMarket(jobs, ['v', 'w'])
    const ids = [
      await addOffer({ quantity: 4, upstream_quantity: 3, buffer: 1, max_listed: 2, frozen_fields: ['stock'] }),
      await addOffer({ external_id: 'ended', status: 'ENDED' })
    ]
    const [row] = await findStock(query, { limit: 50, after: undefined, variantId })

    t.strictSame(row?.offers.map(({ offerId }) => offerId), ids.toSorted())
    t.match(row?.offers.find(({ offerId }) => offerId === ids[0]), {
      connectionId: market,
      quantity: 4,
      upstreamQuantity: 3,
      buffer: 1,
      maxListed: 2,
      frozenFields: ['stock']
    })
    const all = await findStock(query, { limit: 50, after: undefined })
    t.strictSame(all.map(({ offers }) => offers.length).toSorted(), [0, 2])
  })

  t.test('is taken as unread only where no later reading has found it', async t => {
    const { variantIdOf } = await openMarket(jobs, ['early', 'late'])
    await query('update stock set read_at = $2 where variant_id = $1', [variantIdOf('early'), longAgo])
    const ids = [variantIdOf('early'), variantIdOf('late')]

    t.strictSame(await takeUnread(query, ids, '2025-06-01T00:00:00Z'), [variantIdOf('early')])
    t.strictSame(await takeUnread(query, ids, '2025-06-01T00:00:00Z'), [], 'it is marked as read')
  })

  t.test('becomes zero with a new version, unless it is zero already', async t => {
    const { variantIdOf, setStock } = await openMarket(jobs, ['some', 'none', 'backorders'])
    await setStock(0, 'none')
    await setStock(-2, 'backorders')
    const ids = ['some', 'none', 'backorders'].map(variantIdOf)
    const cleared = new Map((await clearStock(query, ids)).map(({ variantId, version }) => [variantId, version]))

    t.strictSame(ids.map(id => cleared.get(id)), [2, undefined, 3])
    const rows = await listStockOf(query, ids)
    t.strictSame(rows.map(({ quantity }) => quantity), [0, 0, 0])
  })
})
