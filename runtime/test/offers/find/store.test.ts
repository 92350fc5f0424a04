import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { countRefusedOffers, listOffers } from '../../../src/offers/find/store.ts'
import { offerWarnings } from '../../../src/stock/rules.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../market.ts'

const problemsOf = (...codes: string[]) => ['marketplace', ...codes].map(code => ({ code, detail: 'a detail' }))

t.test('offers', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  t.test('are listed page by page in the order in which they became known', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const ids = [1, 2, 3].map(() => randomUUID()).toSorted()
    const [first = '', second = '', third = ''] = ids
    await addOffer({ id: third, external_id: '3' })
    await addOffer({ id: first, external_id: '1', created_at: '2025-01-02T00:00:00.000Z' })
    await addOffer({ id: second, external_id: '2', status: 'ENDED' })
    const list = async (limit: number, after?: { createdAt: string, id: string }) =>
      (await listOffers(database, { connectionId: market }, { limit, after })).offers.map(({ id }) => id)

    t.strictSame(await list(2), [second, third])
    t.strictSame(await list(2, { createdAt: longAgo, id: second }), [third, first])
    t.strictSame(await list(2, { createdAt: longAgo, id: third }), [first])
    const ended = await listOffers(database, { status: 'ENDED' }, { limit: 50, after: undefined })
    t.strictSame(ended.offers.map(({ id }) => id), [second])
    t.strictSame(ended.positions, [{ id: second, createdAt: longAgo }])
  })

  t.test('are found by their problems and their id at the marketplace, one filter with another', async t => {
    const { market, shop, addOffer } = await openMarket(jobs)
    const [sound, refused, told, elsewhere] = [
      await addOffer({ external_id: '1' }),
      await addOffer({ external_id: '2', problems: problemsOf('quantity-refused'), status: 'INACTIVE' }),
      await addOffer({ external_id: '3', problems: problemsOf() }),
      await addOffer({ external_id: '1', connection_id: shop })
    ]
    const ids = async (filter: Parameters<typeof listOffers>[1]) =>
      (await listOffers(database, filter, { limit: 50, after: undefined })).offers.map(({ id }) => id)

    t.strictSame(new Set(await ids({ connectionId: market, problem: 'any' })), new Set([refused, told]))
    t.strictSame(await ids({ connectionId: market, problem: 'quantity-refused' }), [refused])
    t.strictSame(await ids({ connectionId: market, problem: 'never-shown' }), [])
    t.strictSame(await ids({ connectionId: market, problem: 'marketplace', status: 'ACTIVE' }), [told])
    t.strictSame(new Set(await ids({ externalId: '1' })), new Set([sound, elsewhere]))
    t.strictSame(await ids({ externalId: '1', connectionId: shop }), [elsewhere])
    t.strictSame(await ids({ externalId: 'none' }), [])
  })

  t.test('are counted by connection when the marketplace refused their quantity later', async t => {
    const { market, shop, addOffer } = await openMarket(jobs)
    const refused = { problems: problemsOf('quantity-refused'), last_synced_at: longAgo }
    const refusedBefore = [{ code: 'quantity-refused', detail: 'a detail', since: '2024-12-31T00:00:00.000Z' }]
    await addOffer({ external_id: '1', ...refused })
    await addOffer({ external_id: '2', problems: refusedBefore, last_synced_at: '2025-01-02T00:00:00.000Z' })
    await addOffer({ external_id: '3', ...refused, status: 'ENDED' })
    await addOffer({ external_id: '4', problems: problemsOf('quantity-not-written') })
    await addOffer({ external_id: '5', connection_id: shop, ...refused, last_synced_at: null })
    const counted = async (limit?: number) =>
      (await countRefusedOffers(query, limit)).filter(({ connectionId }) => [market, shop].includes(connectionId))

    t.strictSame((await counted()).toSorted((a, b) => b.count - a.count), [
      { connectionId: market, count: 2, since: '2024-12-31T00:00:00.000Z' },
      { connectionId: shop, count: 1, since: null }
    ])
  })

  t.test('are counted without reading those that the marketplace did not refuse', async t => {
    const plan = await database.transaction(async ({ query }) => {
      await query('set local enable_seqscan = off')
      const lines: object[] = []
      const explain: Query = async (text, values) => {
        lines.push(...await query<object>(`explain ${text}`, values))
        return []
      }
      await countRefusedOffers(explain)
      return JSON.stringify(lines)
    })
    t.match(plan, /offers_refused/)
  })

  t.test('are found by their warnings, as the rules give them', async t => {
    const { market, addOffer, setStock, variantId } = await openMarket(jobs)
    await setStock(5)
    await query('update stock set reserved = 2 where variant_id = $1', [variantId])
    const quantities = [[null, null], [3, null], [4, null], [4, 3], [3, 4], [null, 9]] as const
    for (const frozen of [[], ['title'], ['stock', 'title']]) {
      for (const [index, [quantity, upstream]] of quantities.entries()) {
        await addOffer({
          external_id: `${frozen.join()}-${index}`,
          quantity,
          upstream_quantity: upstream,
          frozen_fields: frozen
        })
      }
    }
    const all = (await listOffers(database, { connectionId: market }, { limit: 50, after: undefined })).offers
    for (const warning of ['stock-frozen', 'oversell'] as const) {
      const found = await listOffers(database, { connectionId: market, warning }, { limit: 50, after: undefined })
      const wanted = all.filter(({ quantity = null, upstreamQuantity = null, frozenFields }) =>
        offerWarnings({ quantity, upstreamQuantity, frozenFields }, { quantity: 5, reserved: 2 }).some(({ code }) =>
          code === warning
        )
      )
      t.ok(wanted.length > 0)
      t.strictSame(found.offers.map(({ externalId }) => externalId), wanted.map(({ externalId }) => externalId))
    }
  })

  t.test('are found by a text: their id at the marketplace, or a name, SKU or EAN of their variant', async t => {
    const { market, shop, addOffer, variantIdOf } = await openMarket(jobs, ['v', 'w'])
    const [first, second] = [
      await addOffer({ external_id: '1' }),
      await addOffer({ external_id: '2', variant_id: variantIdOf('w') })
    ]
    await query("update products set name = 'Mug' where connection_id = $1", [shop])
    await query("update variants set name = 'Blue', sku = 'SKU-1', ean = '012345678905' where id = $1", [
      variantIdOf('v')
    ])
    await query("update variants set name = 'Red', sku = 'sku-10', ean = '' where id = $1", [variantIdOf('w')])
    const ids = async (q: string) =>
      (await listOffers(database, { connectionId: market, q }, { limit: 50, after: undefined })).offers.map(({ id }) =>
        id
      ).toSorted()
    const both = [first, second].toSorted()

    t.strictSame(await ids('mu'), both)
    t.strictSame(await ids(' p '), both, "the shop's id of the product")
    t.strictSame(await ids('sKu-1'), both)
    t.strictSame(await ids('SKU-10'), [second])
    t.strictSame(await ids('blu'), [first])
    t.strictSame(await ids('2'), [second])
    t.strictSame(await ids('12345678905'), [first], 'a UPC is an EAN without its first zero')
    const exactly = async (filter: Parameters<typeof listOffers>[1]) =>
      (await listOffers(database, { connectionId: market, ...filter }, { limit: 50, after: undefined })).offers.map(
        ({ id }) => id
      )
    t.strictSame(await exactly({ sku: ' sku-1 ' }), [first], 'the whole SKU')
    t.strictSame(await exactly({ sku: 'SKU-10', externalId: '2' }), [second])
    t.strictSame(await exactly({ ean: '0012345678905' }), [first])
    const none = [{ sku: 'SKU' }, { sku: 'Blue' }, { sku: ' ' }, { ean: '0' }, { ean: '1234' }, { sku: '1', ean: '0' }]
    for (const filter of none) t.strictSame(await exactly(filter), [], JSON.stringify(filter))
    for (const text of ['%', '_', 'ug', '0', '000', "'", '\\', 'SKU-11']) t.strictSame(await ids(text), [], text)
  })
})
