import { randomUUID } from 'node:crypto'
import t from 'tap'
import { productIdOf, variantIdOf } from '../../src/catalog/identity.ts'
import { recordReferences } from '../../src/catalog/record-products.ts'
import {
  clearMissing,
  listProducts,
  listSharedSkus,
  listUnnamed,
  listUntaxed,
  listVariantIds,
  listVariants,
  markMissing,
  readNames,
  searchVariants
} from '../../src/catalog/store.ts'
import type { Position } from '../../src/http/paging.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

t.test('the catalog', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  /** Opens a shop with these variants, each named with its product. */
  async function open (...names: (readonly [product: string, variant: string])[]) {
    const shop = await jobs.addConnection()
    await recordReferences(
      database,
      names.map(([productExternalId, variantExternalId]) => ({
        connectionId: shop,
        productExternalId,
        variantExternalId
      }))
    )
    return {
      shop,
      productId: (product: string) => productIdOf(shop, product),
      variantId: (product: string, variant: string) => variantIdOf(shop, product, variant),
      missing: async () => {
        const rows = await query<{ name: string }>(`
            select external_id as name from products where missing_at is not null
            union all
            select external_id from variants where missing_at is not null
            order by 1`)
        return rows.map(({ name }) => name)
      }
    }
  }

  t.test('knows a variant by the names of its product and its own, said once', async t => {
    const { variantId } = await open(['p', 'v'], ['p', 'w'], ['q', 'v'])
    const cases = [
      [null, null, null],
      ['', 'Blue', 'Blue'],
      ['Mug', null, 'Mug'],
      ['Mug', ' ', 'Mug'],
      ['Mug', 'Blue', 'Mug Blue'],
      ['Mug', 'Mug blue', 'Mug blue']
    ]
    for (const [product, variant, expected] of cases) {
      await query("update products set name = $1 where external_id = 'p'", [product])
      await query("update variants set name = $1 where external_id = 'v'", [variant])
      t.equal((await readNames(query, [variantId('p', 'v')])).get(variantId('p', 'v'))?.name, expected)
    }
    await query("update products set name = 'Mug' where external_id = 'q'")
    await query("update variants set name = 'Blue' where external_id = 'v'")
    t.match([...(await readNames(query, [variantId('q', 'v'), variantId('q', 'v')])).values()], [{
      id: variantId('q', 'v'),
      name: 'Mug',
      sku: null
    }], 'the only variant has the name of its product')
    await query("update variants set missing_at = now() where external_id = 'w'")
    t.equal((await readNames(query, [variantId('p', 'v')])).get(variantId('p', 'v'))?.name, 'Mug')
  })

  t.test("finds variants by the shop's id of their product, and by the value that a text begins", async t => {
    const { shop, variantId } = await open(['27', 'v'], ['27', 'w'], ['270', 'v'])
    await query("update products set name = '27 mugs' where external_id = '270'")
    await query("update variants set sku = '27' where id = $1", [variantId('27', 'w')])

    t.strictSame(
      (await searchVariants(query, '27', 20)).map(({ id, matchedBy, isExact }) => [id, matchedBy, isExact]).toSorted(),
      [
        [variantId('27', 'v'), 'externalId', true],
        [variantId('27', 'w'), 'externalId', true],
        [variantId('27', 'w'), 'sku', true],
        [variantId('270', 'v'), 'name', false]
      ].toSorted()
    )
    t.match(await searchVariants(query, variantId('270', 'v'), 20), [{ connectionId: shop, matchedBy: 'id' }])
    t.equal((await searchVariants(query, '27', 1)).length, 3, 'one for each value')
  })

  t.test('lists products page by page in the order in which they became known', async t => {
    const { shop } = await open(['a', 'v'], ['b', 'v'], ['c', 'v'])
    await open(['elsewhere', 'v'])
    for (const [name, day] of [['b', 1], ['c', 2], ['a', 3]] as const) {
      await query("update products set created_at = date '2025-01-01' + $2::integer where external_id = $1", [
        name,
        day
      ])
    }
    const list = async (limit: number, after?: Position) =>
      (await listProducts(database, { connectionId: shop }, { limit, after })).map(({ externalId }) => externalId)
    const [first] = await listProducts(database, { externalId: 'b' }, { limit: 50, after: undefined })

    t.strictSame(await list(50), ['b', 'c', 'a'])
    t.strictSame(await list(2), ['b', 'c'])
    const position = { createdAt: first?.createdAt.toISOString() ?? '', id: first?.id ?? '' }
    t.strictSame(await list(50, position), ['c', 'a'])
  })

  t.test("lists the variants of products in the order of the shop's ids", async t => {
    const { productId, variantId } = await open(['p', '2'], ['p', '1'], ['q', '3'], ['other', '4'])
    const listed = await listVariants(database, [productId('p'), productId('q')])
    t.strictSame(listed.map(({ externalId }) => externalId), ['1', '2', '3'])

    await markMissing(query, [variantId('p', '1'), variantId('q', '3')])
    t.strictSame(
      await listVariantIds(query, [productId('p'), productId('q'), randomUUID()]),
      new Map([[productId('p'), [variantId('p', '2')]]])
    )
  })

  t.test('misses a product with the last of its variants, and has it back with the first', async t => {
    const { variantId, missing } = await open(['p', 'v'], ['p', 'w'], ['q', 'x'])
    await markMissing(query, [variantId('p', 'v')])
    t.strictSame(await missing(), ['v'])
    await markMissing(query, [variantId('p', 'w')])
    t.strictSame(await missing(), ['p', 'v', 'w'])

    await clearMissing(query, [variantId('p', 'v'), variantId('q', 'x')])
    t.strictSame(await missing(), ['w'])
  })

  t.test('names the products with a price and no tax rate that were not read for a day, oldest first', async t => {
    const names = ['old', 'older', 'fresh', 'taxed', 'priceless', 'missing']
    const { shop } = await open(...names.map((name): [string, string] => [name, 'v']))
    await query("update products set name = 'Mug', updated_at = now() - interval '25 hours' where connection_id = $1", [
      shop
    ])
    await query(
      `update variants set price = '{"amount":"1","currency":"EUR"}'
       from products where products.id = variants.product_id and products.connection_id = $1`,
      [shop]
    )
    const ofProduct =
      'from products where products.id = variants.product_id and connection_id = $1 and products.external_id'
    await query(`update variants set tax_rate = '23' ${ofProduct} = 'taxed'`, [shop])
    await query(`update variants set price = null ${ofProduct} = 'priceless'`, [shop])
    const change = (set: string, name: string) =>
      query(`update products set ${set} where connection_id = $1 and external_id = $2`, [shop, name])
    await change('updated_at = now()', 'fresh')
    await change("updated_at = now() - interval '2 days'", 'older')
    await change('missing_at = now()', 'missing')

    t.strictSame(await listUntaxed(query, shop, 10), ['older', 'old'])
    t.strictSame(await listUntaxed(query, shop, 1), ['older'])
    t.strictSame(await listUntaxed(query, await jobs.addConnection(), 10), [])
  })

  t.test('names the products that it knows without a name for less than a day', async t => {
    const { shop } = await open(['new', 'v'], ['newer', 'v'], ['old', 'v'], ['named', 'v'], ['missing', 'v'])
    await query("update products set created_at = created_at - interval '25 hours' where external_id = 'old'")
    await query("update products set created_at = created_at - interval '1 hour' where external_id = 'new'")
    await query("update products set name = 'Mug' where external_id = 'named'")
    await query("update products set missing_at = now() where external_id = 'missing'")

    t.strictSame(await listUnnamed(query, shop, 10), ['new', 'newer'])
    t.strictSame(await listUnnamed(query, shop, 1), ['new'])
    t.strictSame(await listUnnamed(query, shop, 10, ['newer', 'old', 'named']), ['newer'])
    t.strictSame(await listUnnamed(query, shop, 10, []), [])
    t.strictSame(await listUnnamed(query, await jobs.addConnection(), 10), [])
  })

  t.test('lists the references that several variants have, so many of each shop', async t => {
    const shops = [
      await open(['p', 'a'], ['p', 'b'], ['p', 'c'], ['p', 'd']),
      await open(['p', 'a'], ['p', 'b'], ['p', 'c'], ['p', 'd'])
    ].map(({ shop }) => shop)
    await query(
      `update variants set sku = case when variants.external_id in ('a', 'b') then 'A' else 'B' end
      from products where products.id = variants.product_id and connection_id = any($1::uuid[])`,
      [shops]
    )
    const listed = async (limit: number) =>
      (await listSharedSkus(query, limit))
        .filter(({ connectionId }) => shops.includes(connectionId))
        .map(({ connectionId, sku, count }) => `${shops.indexOf(connectionId)} ${sku} ${count}`)
        .toSorted()

    t.strictSame(await listed(1), ['0 A 2', '1 A 2'])
    t.strictSame(await listed(2), ['0 A 2', '0 B 2', '1 A 2', '1 B 2'])
  })
})
