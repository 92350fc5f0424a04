import { AdapterErrorCode } from '@linker/sdk'
import nock from 'nock'
import t from 'tap'
import type { Config } from '../../src/config.ts'
import { createSetStock } from '../../src/stock/set.ts'
import { createShop, expectAll, expectGet } from '../shop.ts'

const { connect, logs, clock, kv } = createShop(t)

function setStockOf (config?: Partial<Config>) {
  const { client, context } = connect(config)
  return createSetStock(client, context)
}

const level = (variantExternalId: string, quantity: number) => ({
  productExternalId: '27',
  variantExternalId,
  quantity
})
const stockRow = (attribute: number, quantity: unknown, more = {}) => ({
  id: 67 + attribute,
  id_product: '27',
  id_product_attribute: String(attribute),
  id_shop: '1',
  id_shop_group: '0',
  quantity,
  depends_on_stock: '0',
  out_of_stock: '2',
  location: '',
  ...more
})

function expectRows (rows: object[], scope = {}) {
  const answer = rows.length === 0 ? [] : { stock_availables: rows }
  expectAll('stock_availables', { ...scope, 'filter[id_product]': '[27]', display: 'full' }).reply(200, answer)
}

function expectCombinations (ids: number[]) {
  expectAll('combinations', { 'filter[id_product]': '[27]', display: '[id,id_product]' })
    .reply(200, ids.length === 0 ? [] : { combinations: ids.map(id => ({ id, id_product: '27' })) })
}

const members = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`).join('')
const body = (values: Record<string, string>) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<shopa><stock_available>${members(values)}</stock_available></shopa>`

const wholeRow = (attribute: number, quantity: string, more = {}) =>
  body({
    id: String(67 + attribute),
    id_product: '27',
    id_product_attribute: String(attribute),
    id_shop: '1',
    id_shop_group: '0',
    quantity,
    depends_on_stock: '0',
    out_of_stock: '2',
    location: '',
    ...more
  })

function shop () {
  return nock('https://shop.test', {
    reqheaders: { 'content-type': 'text/xml; charset=utf-8', 'output-format': 'JSON' }
  })
}

t.test('only the quantity of the row of a combination is changed', async t => {
  expectRows([stockRow(0, '13'), stockRow(101, '8')])
  shop().patch('/api/stock_availables/168', body({ id: '168', quantity: '10' })).reply(200, {
    stock_available: stockRow(101, '10')
  })

  await t.resolves(setStockOf()(level('101', 10)))
})

t.test('row 0 is written for a product without combinations', async t => {
  expectRows([stockRow(0, '13')])
  expectCombinations([])
  shop().patch('/api/stock_availables/67', body({ id: '67', quantity: '0' })).reply(200, {
    stock_available: { id: 67 }
  })

  await t.resolves(setStockOf()(level('product:27', 0)))
})

t.test('row 0 of a product with combinations is their sum and is never written', async t => {
  expectRows([stockRow(0, '13'), stockRow(101, '13')])
  expectCombinations([101])

  await t.rejects(setStockOf()(level('product:27', 5)), { code: AdapterErrorCode.rejected, message: /sum/ })
})

t.test('a quantity that the shop has already is not written', async t => {
  expectRows([stockRow(101, '8')])

  await t.resolves(setStockOf()(level('101', 8)))
})

t.test('a shop without PATCH gets the whole row from a list, and PATCH is not tried for a week', async t => {
  const setStock = setStockOf()
  expectRows([stockRow(101, '8', { location: 'A 5' })])
  shop().patch('/api/stock_availables/168').reply(405, { errors: [{ code: 23, message: 'Method PATCH is not valid' }] })
  shop().put('/api/stock_availables/168', wholeRow(101, '10', { location: 'A 5' })).reply(200, {
    stock_available: stockRow(101, '10')
  })
  await setStock(level('101', 10))
  t.match(logs, [{ level: 'info', message: /PATCH/ }])
  t.same(kv(), { 'stock.patchUnknown': true })

  expectRows([stockRow(101, '10')])
  shop().put('/api/stock_availables/168', wholeRow(101, '11')).reply(200, { stock_available: stockRow(101, '11') })
  await setStockOf()(level('101', 11))

  clock.advance(7 * 24 * 3_600_000)
  expectRows([stockRow(101, '11')])
  shop().patch('/api/stock_availables/168', body({ id: '168', quantity: '12' })).reply(200, {
    stock_available: stockRow(101, '12')
  })
  await setStock(level('101', 12))
})

t.test('a key that may neither PATCH nor PUT is a configuration error, and nothing is remembered', async t => {
  expectRows([stockRow(101, '8')])
  shop().patch('/api/stock_availables/168').reply(405, { errors: [{ code: 25, message: 'not allowed' }] })
  shop().put('/api/stock_availables/168').reply(405, { errors: [{ code: 25, message: 'not allowed' }] })

  await t.rejects(setStockOf()(level('101', 10)), {
    code: AdapterErrorCode.configuration,
    message: /PUT stock_availables/
  })
  t.same(kv(), {})
})

t.test('each refusal of a write gets its error code', async t => {
  const refusals: [number, number, AdapterErrorCode][] = [
    [500, 133, AdapterErrorCode.rejected],
    [400, 84, AdapterErrorCode.rejected],
    [500, 127, AdapterErrorCode.rejected],
    [400, 90, AdapterErrorCode.rejected],
    [401, 26, AdapterErrorCode.configuration],
    [401, 20, AdapterErrorCode.authentication],
    [404, 87, AdapterErrorCode.notFound]
  ]

  for (const [status, number, code] of refusals) {
    expectRows([stockRow(101, '8')])
    shop().patch('/api/stock_availables/168').reply(status, { errors: [{ code: number, message: 'no' }] })
    await t.rejects(setStockOf()(level('101', 10)), { code, status }, `${status} with ${number}`)
  }
})

t.test('a PHP notice is a transient error, and the next attempt finds the written quantity', async t => {
  const setStock = setStockOf()
  expectRows([stockRow(101, '8')])
  shop().patch('/api/stock_availables/168').reply(500, { errors: [{ code: 8, message: 'Undefined index' }] })
  await t.rejects(setStock(level('101', 10)), { code: AdapterErrorCode.transient })

  expectRows([stockRow(101, '10')])
  await t.resolves(setStock(level('101', 10)))
})

t.test('an HTML page with status 200 does not count as a write', async t => {
  expectRows([stockRow(101, '8')])
  shop().patch('/api/stock_availables/168').reply(200, '<html><body>Maintenance</body></html>')

  await t.rejects(setStockOf()(level('101', 10)), { code: AdapterErrorCode.transient })
})

t.test('a product without any row is gone or has a gap', async t => {
  expectRows([])
  expectGet('products/27', {}).reply(404)
  await t.rejects(setStockOf()(level('101', 10)), { code: AdapterErrorCode.notFound, message: /product 27/ })

  expectRows([])
  expectGet('products/27', {}).reply(200, { product: { id: 27 } })
  await t.rejects(setStockOf()(level('101', 10)), { code: AdapterErrorCode.transient })
})

t.test('a combination without a row is gone or has a gap, as rows cannot be created', async t => {
  expectRows([stockRow(0, '13')])
  expectGet('combinations/101', {}).reply(404)
  await t.rejects(setStockOf()(level('101', 10)), { code: AdapterErrorCode.notFound, message: /combination 101/ })

  expectRows([stockRow(0, '13')])
  expectGet('combinations/101', {}).reply(200, { combination: { id: 101 } })
  await t.rejects(setStockOf()(level('101', 10)), { code: AdapterErrorCode.transient })
})

t.test('with several shops the row of the configured shop is written', async t => {
  expectRows([stockRow(101, '8'), stockRow(101, '4', { id: 300, id_shop: '2' })], { id_shop: '2' })
  shop().patch('/api/stock_availables/300', body({ id: '300', quantity: '10' })).query({ id_shop: '2' }).reply(200, {
    stock_available: { id: 300 }
  })
  await t.resolves(setStockOf({ shopId: '2' })(level('101', 10)))

  expectRows([stockRow(101, '8'), stockRow(101, '4', { id: 300, id_shop: '2' })])
  await t.rejects(setStockOf()(level('101', 10)), { code: AdapterErrorCode.configuration, message: /shopId/ })
})

t.test('a variant of another product and an invalid variant id are refused before any request', async t => {
  for (const variant of ['product:28', '0', '-1', '101|102', '']) {
    await t.rejects(setStockOf()(level(variant, 1)), { code: AdapterErrorCode.rejected }, variant)
  }
})
