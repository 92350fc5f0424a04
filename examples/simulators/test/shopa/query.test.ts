import type { ProductInput } from '@linker/simulators'
import t from 'tap'
import { codes, createClock, openShop } from '../support.ts'

const products: ProductInput[] = [
  { id: 1, name: 'Mug', fields: { reference: 'ABC-1', price: '9.000000' } },
  { id: 2, name: 'Cup', fields: { reference: 'abc-2', price: '10.000000' } },
  { id: 5, name: 'Bowl', fields: { reference: 'X-ABC', price: '100.000000' } },
  { id: 10, name: 'Plate', fields: { reference: 'Y-9', price: '20.000000' } }
]

t.test('filters', async t => {
  const { get } = await openShop(t, { products })
  const found = async (query: string) => {
    const body = (await get(`/products?sort=[id_ASC]&${query}`)).json()
    return Array.isArray(body) ? body : JSON.parse(JSON.stringify(body)).products.map(({ id }: { id: number }) => id)
  }

  const cases: Array<[title: string, query: string, ids: number[]]> = [
    ['equality', 'filter[id]=[2]', [2]],
    ['equality without brackets', 'filter[reference]=Y-9', [10]],
    ['equality ignores case', 'filter[reference]=[abc-1]', [1]],
    ['numbers are equal by value', 'filter[price]=[9]', [1]],
    ['a pipe is OR', 'filter[id]=[1|5|9]', [1, 5]],
    ['a comma is an inclusive range, not a list', 'filter[id]=[1,5]', [1, 2, 5]],
    ['greater is strict', 'filter[id]=>[5]', [10]],
    ['less is strict', 'filter[id]=<[5]', [1, 2]],
    ['numbers are compared by value', 'filter[price]=>[9]', [2, 5, 10]],
    ['begins with', 'filter[reference]=[abc]%25', [1, 2]],
    ['ends with', 'filter[reference]=%25[abc]', [5]],
    ['contains', 'filter[reference]=%25[abc]%25', [1, 2, 5]],
    ['not', 'filter[id]=![2]', [1, 5, 10]],
    ['none of', 'filter[id]=![2|5]', [1, 10]],
    ['several filters are AND', 'filter[id]=>[1]&filter[reference]=[abc]%25', [2]],
    ['a localised field', 'filter[name]=[cup]', [2]],
    ['an unknown operator is no filter', 'filter[id]=>=[5]', [1, 2, 5, 10]],
    ['percent-encoded brackets', 'filter%5Bid%5D=%5B1%7C2%5D', [1, 2]],
    ['nothing found', 'filter[id]=[3]', []]
  ]
  for (const [title, query, ids] of cases) t.strictSame(await found(query), ids, title)
})

t.test('a list is sorted by each named field in turn', async t => {
  const { get } = await openShop(t, { products: [...products, { id: 11, name: 'Lid', fields: { price: '9.000000' } }] })
  const found = async (sort: string) =>
    JSON.parse((await get(`/products?sort=${sort}`)).text).products.map(({ id }: { id: number }) => id)

  t.strictSame(await found('[price_ASC,id_DESC]'), [11, 1, 2, 10, 5])
  t.strictSame(await found('id_DESC'), [11, 10, 5, 2, 1])
  t.strictSame(await found('[name_ASC]'), [5, 2, 11, 1, 10])
})

t.test('limit is a count or an offset with a count, and the parameter offset is ignored', async t => {
  const { get } = await openShop(t, { products })
  const found = async (query: string) =>
    JSON.parse((await get(`/products?${query}`)).text).products.map(({ id }: { id: number }) => id)

  t.strictSame(await found('limit=2&sort=id_ASC'), [1, 2])
  t.strictSame(await found('limit=1,2&sort=id_ASC'), [2, 5])
  t.strictSame(await found('limit=2&offset=2&sort=id_ASC'), [1, 2])
  t.strictSame(await found('limit=1,2'), [5, 2], 'without sort not in the order of ids')
  t.equal((await get('/products?limit=4,2')).text, '[]')
})

t.test('dates can be filtered and sorted only with date=1', async t => {
  const clock = createClock('2025-01-02T09:00:00Z')
  const { shop, get } = await openShop(t, { products, now: clock.now, timeZone: 'Europe/Warsaw' })
  clock.advance(1000)
  shop.updateProduct(5, { active: '0' })
  const changed = 'filter[date_upd]=>[2025-01-02 10:00:00]'

  const query = `date=1&${changed}&sort=[date_upd_ASC,id_ASC]&limit=0,100&display=[id,date_upd]`
  t.strictSame((await get(`/products?${query}`)).json(), {
    products: [{ id: 5, date_upd: '2025-01-02 10:00:01' }]
  })
  t.strictSame(codes(await get(`/products?${changed}`)), [32, 3])
  t.strictSame(codes(await get('/products?sort=[date_upd_ASC]')), [38, 3])
})

t.test('a strict date filter loses rows of the same second as the watermark', async t => {
  const clock = createClock('2025-01-02T09:00:00Z')
  const { get } = await openShop(t, { products, now: clock.now, timeZone: 'Europe/Warsaw' })

  t.equal((await get('/products?date=1&filter[date_upd]=>[2025-01-02 10:00:00]')).text, '[]')
})

t.test('an invalid query is 400 with the code of its invalid part, or 500 with warnings behind it', async t => {
  const { shop, get } = await openShop(t, { products })
  const cases: Array<[query: string, code: number]> = [
    ['filter[nope]=[1]', 32],
    ['filter[__proto__]=[1]', 32],
    ['filter=[1]', 33],
    ['filter[manufacturer_name]=[x]', 34],
    ['display=[nope]', 35],
    ['display=some', 36],
    ['sort=[id]', 37],
    ['sort=[nope_ASC]', 38],
    ['schema=nope', 28]
  ]

  for (const [query, code] of cases) {
    const isNoticed = [28, 32, 35, 38].includes(code)
    shop.switches.php8 = true
    const answer = await get(`/products?${query}`)
    t.equal(answer.status, isNoticed ? 500 : 400, query)
    t.strictSame(codes(answer), isNoticed ? [code, 3] : [code], query)
    shop.switches.php8 = false
    const old = await get(`/products?${query}`)
    t.strictSame([old.status, codes(old)], [400, [code]], query)
  }
})

t.test('a limit that is no number is an empty list', async t => {
  const { get } = await openShop(t, { products })

  for (const limit of ['x', '1,2,3']) t.equal((await get(`/products?limit=${limit}`)).text, '[]')
})

t.test('an unknown resource, a bad id and an unknown method are refused', async t => {
  const { get, write } = await openShop(t)
  const resource = await get('/nope')
  const id = await get('/products/abc')
  const written = await write('PATCH', '/stock_availables/abc', '')
  const method = await write('OPTIONS', '/products', '')

  t.equal(resource.status, 400)
  t.strictSame(codes(resource), [27])
  t.strictSame([id.status, id.text], [404, ''])
  t.strictSame([written.status, codes(written)], [404, [92]])
  t.equal(method.status, 405)
  t.strictSame(codes(method), [23])
})
