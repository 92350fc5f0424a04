import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../../src/config.ts'
import { createInventoryMaster } from '../../src/stock/inventory-master.ts'
import { createShop, expectAll, expectGet, expectStates } from '../shop.ts'

const { connect, logs } = createShop(t)
const pageFields = '[id,state,type,active,available_for_order]'

function inventoryMaster (config?: Partial<Config>) {
  const { client, context } = connect(config)
  return createInventoryMaster(client, context)
}

const stockRow = (attribute: number, quantity: unknown, more = {}) => ({
  id: 60 + attribute,
  id_product: '27',
  id_product_attribute: String(attribute),
  id_shop: '1',
  id_shop_group: '0',
  quantity,
  depends_on_stock: '0',
  ...more
})

function expectStock (rows: object[], combinationIds: number[] = [], scope = {}, state: '0' | '1' = '1') {
  expectStates({ 27: state }, ['27'], scope)
  const query = { ...scope, 'filter[id_product]': '[27]' }
  expectAll('stock_availables', { ...query, display: 'full' })
    .reply(200, rows.length === 0 ? [] : { stock_availables: rows })
  const combinations = combinationIds.map(id => ({ id, id_product: '27' }))
  expectAll('combinations', { ...query, display: '[id,id_product]' })
    .reply(200, combinations.length === 0 ? [] : { combinations })
}

t.test('the stock of a product without combinations is its row 0', async t => {
  expectStock([stockRow(0, '13')])

  t.same(await inventoryMaster().getStock('27'), [{
    productExternalId: '27',
    variantExternalId: 'product:27',
    quantity: 13
  }])
})

t.test('row 0 of a product with combinations is their sum and is never a variant', async t => {
  expectStock([stockRow(0, '13'), stockRow(101, '8'), stockRow(102, 5)], [101, 102])

  t.same(await inventoryMaster().getStock('27'), [
    { productExternalId: '27', variantExternalId: '101', quantity: 8 },
    { productExternalId: '27', variantExternalId: '102', quantity: 5 }
  ])
})

t.test('row 0 is not published even when the rows of the combinations are missing', async t => {
  expectStock([stockRow(0, '13')], [101])

  await t.rejects(inventoryMaster().getStock('27'), { code: AdapterErrorCode.transient, message: /unknown/ })
})

t.test('a row of a combination that the product no longer has is not published', async t => {
  expectStock([stockRow(0, '8'), stockRow(101, '8'), stockRow(99, '4')], [101])

  t.same((await inventoryMaster().getStock('27')).map(level => level.variantExternalId), ['101'])
})

t.test('zero and negative quantities are known quantities', async t => {
  expectStock([stockRow(0, '0'), stockRow(101, '0'), stockRow(102, '-2')], [101, 102])

  t.same((await inventoryMaster().getStock('27')).map(level => level.quantity), [0, -2])
})

t.test('an unknown quantity is not zero: it is left out with a warning', async t => {
  for (const quantity of [undefined, null, '', 'NaN']) {
    expectStock([stockRow(101, quantity), stockRow(102, '5')], [101, 102])

    t.same(await inventoryMaster().getStock('27'), [{ productExternalId: '27', variantExternalId: '102', quantity: 5 }])
    t.match(logs.pop(), {
      level: 'warn',
      fields: { unknown: [{ productExternalId: '27', variantExternalId: '101', reason: /no quantity/ }] }
    })
  }
})

t.test('a product without any known quantity is a transient error', async t => {
  expectStock([stockRow(0, null)])

  await t.rejects(inventoryMaster().getStock('27'), { code: AdapterErrorCode.transient, message: /no quantity/ })
})

t.test('a deleted product without rows is not found', async t => {
  expectStock([])
  expectGet('products/27', {}).reply(404, '')

  await t.rejects(inventoryMaster().getStock('27'), { code: AdapterErrorCode.notFound })
})

t.test('missing rows of an existing product are a gap, not a zero', async t => {
  expectStock([])
  expectGet('products/27', {}).reply(200, { product: { id: 27 } })

  await t.rejects(inventoryMaster().getStock('27'), { code: AdapterErrorCode.transient, message: /stock rows missing/ })
})

t.test('stock of several shops is never added up, so the operator must name the shop', async t => {
  expectStock([stockRow(0, '13'), stockRow(0, '4', { id_shop: '2' })])

  await t.rejects(inventoryMaster().getStock('27'), {
    code: AdapterErrorCode.configuration,
    message: /several shops \(1, 2\).*shopId/
  })
})

t.test("the configured shop's row counts, else the row that its group shares", async t => {
  expectStock([stockRow(0, '13'), stockRow(0, '4', { id_shop: '2' })], [], { id_shop: '2' })
  t.same((await inventoryMaster({ shopId: '2' }).getStock('27')).map(level => level.quantity), [4])

  expectStock([stockRow(0, '13'), stockRow(0, '7', { id_shop: '0', id_shop_group: '1' })], [], { id_shop: '2' })
  t.same((await inventoryMaster({ shopId: '2' }).getStock('27')).map(level => level.quantity), [7])
})

t.test('the stock of another shop is not the stock of the configured one', async t => {
  expectStock([stockRow(0, '13')], [], { id_shop: '2' })

  await t.rejects(inventoryMaster({ shopId: '2' }).getStock('27'), {
    code: AdapterErrorCode.transient,
    message: /shop 2/
  })
})

t.test('an answer in XML is read like one in JSON', async t => {
  expectStates({ 27: '1' })
  const xml = (content: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><shopa xmlns:xlink="http://www.w3.org/1999/xlink">${content}</shopa>`
  const member = (name: string, value: number) =>
    `<${name} xlink:href="https://shop.test/api/${name}"><![CDATA[${value}]]></${name}>`
  const row = (attribute: number, quantity: number) => {
    const ids = { id: 60 + attribute, id_product: 27, id_product_attribute: attribute, id_shop: 1 }
    const content = Object.entries({ ...ids, quantity }).map(([name, value]) => member(name, value)).join('')
    return `<stock_available>${content}</stock_available>`
  }
  expectAll('stock_availables', { 'filter[id_product]': '[27]', display: 'full' })
    .reply(200, xml(`<stock_availables>${row(0, 8)}${row(101, 8)}</stock_availables>`), {
      'content-type': 'text/xml; charset=utf-8'
    })
  const combination = `<combination>${member('id', 101)}${member('id_product', 27)}</combination>`
  expectAll('combinations', { 'filter[id_product]': '[27]', display: '[id,id_product]' })
    .reply(200, xml(`<combinations>${combination}</combinations>`))

  t.same(await inventoryMaster().getStock('27'), [{ productExternalId: '27', variantExternalId: '101', quantity: 8 }])
})

t.test('a listing reads the stock of a page of products in two requests, and tells which are sold', async t => {
  expectGet('products', { display: pageFields, 'filter[id]': '>[20]', sort: '[id_ASC]', limit: '0,4' })
    .reply(200, {
      products: [
        { id: 26, state: '1', active: '1', available_for_order: '1' },
        { id: 27, state: '1', active: '1', available_for_order: '0' },
        { id: 28, state: '0' },
        { id: 29, state: '1', active: '1' }
      ]
    })
  expectAll('stock_availables', { 'filter[id_product]': '[26|27|29]', display: 'full' })
    .reply(200, {
      stock_availables: [
        stockRow(0, '3', { id_product: '26' }),
        stockRow(0, '13'),
        stockRow(101, '8'),
        stockRow(102, '5')
      ]
    })
  expectAll('combinations', { 'filter[id_product]': '[26|27|29]', display: '[id,id_product]' })
    .reply(200, { combinations: [{ id: 101, id_product: '27' }, { id: 102, id_product: '27' }] })

  t.same(await inventoryMaster().listStock({ cursor: '20', limit: 4 }), {
    items: [
      { productExternalId: '26', variantExternalId: 'product:26', quantity: 3, sellable: true },
      { productExternalId: '27', variantExternalId: '101', quantity: 8, sellable: false },
      { productExternalId: '27', variantExternalId: '102', quantity: 5, sellable: false }
    ],
    nextCursor: '29'
  })
  t.match(logs, [{ level: 'warn', fields: { unknown: [{ variantExternalId: 'product:29', reason: 'no stock row' }] } }])
})

t.test('no method answers the stock of a draft', async t => {
  expectStock([stockRow(0, '13')], [], {}, '0')
  await t.rejects(inventoryMaster().getStock('27'), { code: AdapterErrorCode.notFound, message: /draft/ })

  expectStock([stockRow(0, '13')], [], {}, '0')
  t.same(await inventoryMaster().getStockMany?.(['27']), [])

  expectGet('products', { display: pageFields, sort: '[id_ASC]', limit: '0,50' }).reply(200, {
    products: [{ id: 27, state: '0' }]
  })
  t.same(await inventoryMaster().listStock({ limit: 50 }), { items: [] })
})

t.test('the draft state of a product is asked once, until a listing shows that it became a draft', async t => {
  const { client, context } = connect()
  const rowsOf = (rows: object[]) => {
    expectAll('stock_availables', { 'filter[id_product]': '[27]', display: 'full' }).reply(200, {
      stock_availables: rows
    })
    expectAll('combinations', { 'filter[id_product]': '[27]', display: '[id,id_product]' }).reply(200, [])
  }
  expectStates({ 27: '1' })
  for (const quantity of [13, 12]) {
    rowsOf([stockRow(0, quantity)])
    t.match(await createInventoryMaster(client, context).getStock('27'), [{ quantity }])
  }

  expectGet('products', { display: pageFields, sort: '[id_ASC]', limit: '0,50' }).reply(200, {
    products: [{ id: 27, state: '0' }]
  })
  await createInventoryMaster(client, context).listStock({ limit: 50 })
  expectStates({ 27: '0' })
  rowsOf([stockRow(0, 12)])
  await t.rejects(createInventoryMaster(client, context).getStock('27'), { code: AdapterErrorCode.notFound })
})

t.test('a listing without products requests no stock', async t => {
  expectGet('products', { display: pageFields, sort: '[id_ASC]', limit: '0,50' }).reply(200, [])

  t.same(await inventoryMaster().listStock({ limit: 50 }), { items: [] })
})

t.test('many products are read in three requests, without gone or unknown ones and invalid ids', async t => {
  expectStates({ 27: '1', 28: '1', 29: '1' }, ['27', '28', '29', '30'])
  expectAll('stock_availables', { 'filter[id_product]': '[27|28|29|30]', display: 'full' }).reply(200, {
    stock_availables: [
      stockRow(0, '13'),
      stockRow(101, '8'),
      stockRow(102, ''),
      stockRow(0, '20', { id: 90, id_product: '28' }),
      stockRow(0, null, { id: 91, id_product: '29' })
    ]
  })
  expectAll('combinations', { 'filter[id_product]': '[27|28|29|30]', display: '[id,id_product]' })
    .reply(200, { combinations: [{ id: 101, id_product: '27' }, { id: 102, id_product: '27' }] })

  t.same(await inventoryMaster().getStockMany?.(['27', '28', '29', '30', '28', '1|2', 'product:27']), [
    { productExternalId: '27', variantExternalId: '101', quantity: 8 },
    { productExternalId: '28', variantExternalId: 'product:28', quantity: 20 }
  ])
  const unknown = [
    { variantExternalId: '102' },
    { variantExternalId: 'product:29' },
    { variantExternalId: 'product:30', reason: 'no stock row' }
  ]
  t.match(logs, [{ level: 'warn', fields: { unknown } }])
})

t.test('rows of other products are dropped when the shop ignores the filter', async t => {
  expectStates({ 27: '1', 28: '0' }, ['27'])
  expectAll('stock_availables', { 'filter[id_product]': '[27]', display: 'full' })
    .reply(200, { stock_availables: [stockRow(0, '13'), stockRow(0, '20', { id: 90, id_product: '28' })] })
  expectAll('combinations', { 'filter[id_product]': '[27]', display: '[id,id_product]' }).reply(200, {
    combinations: [{ id: 201, id_product: '29' }]
  })

  t.same(await inventoryMaster().getStockMany?.(['27']), [{
    productExternalId: '27',
    variantExternalId: 'product:27',
    quantity: 13
  }])
})

t.test('a call without a valid id sends no request', async t => {
  t.same(await inventoryMaster().getStockMany?.(['x']), [])
})
