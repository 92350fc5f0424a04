import { generateCatalog, manyCombinations } from '@linker/simulators'
import t from 'tap'
import { openShop } from '../support.ts'

interface Page {
  combinations: Array<{ id: number, id_product: string, ean13: string }>
}

t.test('a generated catalog is the same every time, with its own SKU and a valid EAN for every variant', t => {
  const catalog = generateCatalog({ products: 30, combinationsEach: 3 })
  const variants = catalog.flatMap(({ combinations = [] }) => combinations)
  const eans = variants.map(({ fields }) => String(fields?.ean13))

  t.strictSame(catalog, generateCatalog({ products: 30, combinationsEach: 3 }))
  t.equal(catalog[0]?.id, 1001)
  t.equal(new Set(variants.map(({ id }) => id)).size, 90)
  t.equal(new Set(variants.map(({ fields }) => fields?.reference)).size, 90)
  t.equal(new Set(eans).size, 90)
  for (const ean of eans) {
    t.equal([...ean].reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0) % 10, 0, ean)
  }
  t.equal(generateCatalog({ products: 2, combinationsEach: 0 })[1]?.combinations, undefined)
  t.end()
})

t.test('every walk through a large catalog meets every row once', async t => {
  const { shop, get } = await openShop(t, { products: generateCatalog({ products: 250, combinationsEach: 4 }) })
  const wanted = shop.quantities().map(({ combinationId }) => combinationId)
  const walk = async (query: (page: number, last: number) => string) => {
    const seen: number[] = []
    for (let page = 0;; page++) {
      const rows = (await get(`/combinations?display=[id]&${query(page, seen.at(-1) ?? 0)}`)).json()
      if (Array.isArray(rows)) return seen
      seen.push(...(rows as Page).combinations.map(({ id }) => id))
    }
  }

  t.equal(wanted.length, 1000)
  t.strictSame(await walk(page => `limit=${page * 100},100`), wanted.toReversed(), 'newest first without sort')
  t.strictSame(await walk((_page, last) => `filter[id]=>[${last}]&sort=[id_ASC]&limit=100`), wanted)
  t.strictSame(await walk(page => `filter[price]=[0]&sort=[price_DESC,id_ASC]&limit=${page * 100},100`), wanted)
})

t.test('one filter finds the rows of many products', async t => {
  const { shop, get } = await openShop(t, { products: generateCatalog({ products: 20, combinationsEach: 2 }) })
  shop.addProduct({ id: 3, name: 'Early', quantity: 1 })
  shop.deleteProduct(1002)

  const { combinations } =
    (await get('/combinations?filter[id_product]=[1003|1001|1002|3|1003]&display=full&sort=[id_ASC]'))
      .json() as Page

  t.strictSame(combinations.map(({ id, id_product: productId }) => [id, productId]), [
    [100_001, 1001],
    [100_002, 1001],
    [100_005, 1003],
    [100_006, 1003]
  ])
  t.match((await get('/products?limit=2&sort=id_ASC')).json(), { products: [{ id: 3 }, { id: 1001 }] })
  t.match((await get('/products?filter[id]=>[1001]&limit=1&sort=id_ASC')).json(), { products: [{ id: 1003 }] })
})

t.test('a product with 48 combinations has 49 stock rows', async t => {
  const { shop, get } = await openShop(t, { products: [manyCombinations] })

  const { stock_availables: rows } = (await get('/stock_availables?filter[id_product]=[40]&display=full')).json() as {
    stock_availables: unknown[]
  }

  t.equal(rows.length, 49)
  t.equal(shop.quantities().length, 48)
  t.equal(shop.stockOf(40, 0), 48 * 47 / 2)
})
