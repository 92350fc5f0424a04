import { XMLParser } from 'fast-xml-parser'
import t from 'tap'
import { basic, createClock, openShop, send, shopKey } from '../support.ts'

const authorization = basic(shopKey)

t.test('the first of the four places that name a format decides', async t => {
  const { shop } = await openShop(t)
  const xml = 'text/xml; charset=utf-8'
  const json = 'application/json; charset=utf-8'
  const requests: Array<{ expected: string, query: string, headers: Record<string, string> }> = [
    { expected: xml, query: '', headers: {} },
    { expected: json, query: '', headers: { 'io-format': 'JSON' } },
    { expected: json, query: '', headers: { 'output-format': 'json' } },
    { expected: json, query: '?output_format=JSON', headers: {} },
    { expected: json, query: '?io_format=JSON', headers: {} },
    { expected: xml, query: '?output_format=JSON', headers: { 'io-format': 'XML', 'output-format': 'JSON' } },
    { expected: json, query: '?io_format=XML&output_format=JSON', headers: {} }
  ]

  for (const { expected, query, headers } of requests) {
    const answer = await send(`${shop.apiUrl}/products${query}`, { headers: { authorization, ...headers } })
    t.equal(answer.headers['content-type'], expected)
  }
})

t.test('a list without display has ids only', async t => {
  const { get } = await openShop(t)

  t.strictSame((await get('/products?sort=id_ASC')).json(), { products: [{ id: 27 }, { id: 28 }] })
})

t.test('a list shows the fields that display names', async t => {
  const { get } = await openShop(t)

  t.strictSame((await get('/products?display=[id,reference]&sort=id_ASC')).json(), {
    products: [{ id: 27, reference: 'SKU-27' }, { id: 28, reference: 'SKU-28' }]
  })
  t.strictSame((await get('/products?display=[price]&limit=1&sort=id_ASC')).json(), {
    products: [{ price: '81.300813' }]
  })
})

t.test('with a switch everything but id is a string, and associations are flat arrays', async t => {
  const { shop, get } = await openShop(t)
  shop.switches.textScalars = true

  const [product] = JSON.parse((await get('/products?display=full&filter[id]=[27]')).text).products
  const { id, manufacturer_name: computed, associations, ...texts } = product

  t.equal(id, 27)
  t.equal(computed, false)
  t.equal(texts.price, '81.300813')
  t.equal(texts.id_manufacturer, '0')
  t.equal(texts.name, 'Mug')
  for (const [name, value] of Object.entries(texts)) t.type(value, 'string', name)
  t.strictSame(associations, {
    categories: [{ id: '2' }, { id: '5' }],
    images: [{ id: '41' }, { id: '42' }],
    combinations: [{ id: '101' }, { id: '102' }],
    product_option_values: [{ id: '9' }, { id: '10' }],
    stock_availables: [
      { id: '1', id_product_attribute: '0' },
      { id: '2', id_product_attribute: '101' },
      { id: '3', id_product_attribute: '102' }
    ]
  })
})

t.test('ids of other records and whole numbers are numbers, flags and amounts are text', async t => {
  const { get } = await openShop(t)

  const [product] = JSON.parse((await get('/products?display=full&filter[id]=[27]')).text).products
  const { id_manufacturer: manufacturer, id_tax_rules_group: taxes, state, active, price, reference } = product
  t.strictSame([manufacturer, taxes, state], [0, 1, 1])
  t.strictSame([active, price, reference], ['1', '81.300813', 'SKU-27'])
  const [row] = JSON.parse((await get('/stock_availables?display=full&filter[id]=[2]')).text).stock_availables
  t.strictSame([row.id, row.quantity, row.depends_on_stock], [2, 8, '0'])
  const [currency] = JSON.parse((await get('/currencies?display=full&filter[id]=[1]')).text).currencies
  t.equal(currency.active, 1)
})

t.test('the answer of a write has its ids as text, and no falsy members', async t => {
  const { write } = await openShop(t)
  const row = '<stock_available><id>4</id><quantity>0</quantity></stock_available>'

  t.strictSame((await write('PATCH', '/stock_availables/4', `<shopa>${row}</shopa>`)).json(), {
    stock_available: { id: '4', id_product: '28', id_shop: '1', out_of_stock: '2' }
  })
})

t.test('id_shop does not filter stock rows', async t => {
  const { get } = await openShop(t)

  t.strictSame((await get('/stock_availables?id_shop=2&display=[id,id_shop]&filter[id]=[4]')).json(), {
    stock_availables: [{ id: 4, id_shop: 1 }]
  })
})

t.test('a combination carries the impact on the price', async t => {
  const { get } = await openShop(t)

  t.match((await get('/combinations/101')).json(), {
    combination: { id: 101, id_product: '27', price: '4.065041', minimal_quantity: '1' }
  })
})

t.test('an empty list is an array in JSON and an empty element in XML', async t => {
  const { shop, get } = await openShop(t)

  t.equal((await get('/products?filter[id]=[999]')).text, '[]')
  const xml = await send(`${shop.apiUrl}/products?filter[id]=[999]`, { headers: { authorization } })
  t.match(xml.text, /<shopa [^>]*><products\/><\/shopa>$/)
})

t.test('a single record that does not exist is 404 with an empty body', async t => {
  const { get } = await openShop(t)

  const answer = await get('/products/999')

  t.equal(answer.status, 404)
  t.equal(answer.text, '')
})

t.test('a single record loses its falsy members, a list keeps them', async t => {
  const { get } = await openShop(t, { products: [{ id: 1, name: 'Untaxed', fields: { id_tax_rules_group: '0' } }] })

  const single = JSON.parse((await get('/products/1')).text).product
  const [listed] = JSON.parse((await get('/products?filter[id]=[1]&display=full')).text).products

  for (const name of ['id_tax_rules_group', 'ean13', 'manufacturer_name', 'quantity']) {
    t.notOk(Object.hasOwn(single, name), `${name} is missing from the single record`)
    t.ok(Object.hasOwn(listed, name), `${name} is in the list`)
  }
  t.equal(single.wholesale_price, '0.000000')
})

t.test('a switch keeps falsy members in a single record, as newer shops do', async t => {
  const { shop, get } = await openShop(t)
  shop.switches.dropFalsyMembers = false

  t.match((await get('/stock_availables/1')).json(), {
    stock_available: { id: 1, id_product_attribute: '0', depends_on_stock: '0', location: '' }
  })
})

t.test('a single record with display is a list of one, with its falsy members', async t => {
  const { get } = await openShop(t)

  t.strictSame((await get('/products/27?display=[id,ean13]')).json(), { products: [{ id: 27, ean13: '' }] })
  t.strictSame((await get('/products/99?display=full')).text, '')
})

t.test('XML wraps values in CDATA, links references, nests languages and associations', async t => {
  const { shop } = await openShop(t)

  const { text } = await send(`${shop.apiUrl}/products/27`, { headers: { authorization } })

  t.match(text, '<id><![CDATA[27]]></id>')
  t.match(text, `<id_category_default xlink:href="${shop.apiUrl}/categories/2"><![CDATA[2]]></id_category_default>`)
  t.match(text, `<name><language id="1" xlink:href="${shop.apiUrl}/languages/1"><![CDATA[Mug]]></language></name>`)
  t.match(
    text,
    `<images nodeType="image" api="images"><image xlink:href="${shop.apiUrl}/images/products/27/41"><id>41</id></image>`
  )
})

t.test('a value with markup or the end of CDATA survives XML', async t => {
  const description = '<p>a & b ]]> c</p>'
  const { shop } = await openShop(t, {
    products: [{ id: 1, name: 'Odd', fields: { description: { 1: description } } }]
  })

  const { text } = await send(`${shop.apiUrl}/products/1`, { headers: { authorization } })

  t.equal(new XMLParser().parse(text).shopa.product.description.language, description)
})

t.test('an XML list without display names each record by attributes', async t => {
  const { shop } = await openShop(t)

  const { text } = await send(`${shop.apiUrl}/products?limit=1&sort=id_ASC`, { headers: { authorization } })

  t.match(text, `<products><product id="27" xlink:href="${shop.apiUrl}/products/27"/></products>`)
})

t.test('localised texts are an array for several languages and a string for one', async t => {
  const { get } = await openShop(t, {
    languages: [1, 2, 3],
    products: [{ id: 1, name: { 1: 'Mug', 2: 'Kubek', 3: 'Tasse' } }]
  })
  const nameOf = async (query: string) => JSON.parse((await get(`/products/1${query}`)).text).product.name

  t.strictSame(await nameOf(''), [{ id: '1', value: 'Mug' }, { id: '2', value: 'Kubek' }, { id: '3', value: 'Tasse' }])
  t.equal(await nameOf('?language=2'), 'Kubek')
  t.strictSame(await nameOf('?language=[1|3]'), [{ id: '1', value: 'Mug' }, { id: '3', value: 'Tasse' }])
  t.strictSame(await nameOf('?language=[2,3]'), [{ id: '2', value: 'Kubek' }, { id: '3', value: 'Tasse' }])
})

t.test('times are local to the shop, to the second and without a zone', async t => {
  const clock = createClock('2025-07-01T22:30:05.999Z')
  const { shop, get } = await openShop(t, { now: clock.now, timeZone: 'Europe/Warsaw' })
  clock.advance(60_000)
  shop.updateProduct(28, { price: '1.000000' })

  t.match((await get('/products/28')).json(), {
    product: { date_add: '2025-07-02 00:30:05', date_upd: '2025-07-02 00:31:05', price: '1.000000' }
  })
})

t.test('HEAD answers like GET without a body', async t => {
  const { shop } = await openShop(t)

  const found = await send(`${shop.apiUrl}/products/27`, { method: 'HEAD', headers: { authorization } })
  const missing = await send(`${shop.apiUrl}/products/999`, { method: 'HEAD', headers: { authorization } })

  t.equal(found.status, 200)
  t.equal(found.text, '')
  t.equal(missing.status, 404)
})

t.test('a deleted product leaves the lists with its combinations and stock rows', async t => {
  const { shop, get } = await openShop(t)
  shop.deleteProduct(27)

  t.equal((await get('/products/27')).status, 404)
  t.equal((await get('/combinations')).text, '[]')
  t.equal((await get('/stock_availables?filter[id_product]=[27]')).text, '[]')
})

t.test('the sample colour of a combination and the tax of a product can be read', async t => {
  const { shop, get, write } = await openShop(t)

  t.match((await get('/product_option_values?filter[id]=[9|10]&display=full&sort=id_ASC')).json(), {
    product_option_values: [{ id: 9, id_attribute_group: '1', name: 'Red' }, { id: 10, name: 'Blue' }]
  })
  t.match((await get('/product_options/1')).json(), { product_option: { name: 'Colour' } })
  t.match((await get('/countries?filter[iso_code]=[pl]&display=full')).json(), {
    countries: [{ id: 14, iso_code: 'PL', active: '0' }]
  })
  t.match((await get('/tax_rules?filter[id_tax_rules_group]=[1]&display=full')).json(), {
    tax_rules: [{ id_country: '14', id_state: '0', id_tax: '1' }]
  })
  t.match((await get('/taxes/1')).json(), { tax: { rate: '23.000' } })
  t.match((await get('/categories/2')).json(), {
    category: { id_parent: '1', is_root_category: '1', associations: { categories: [{ id: '5' }] } }
  })
  t.equal((await write('DELETE', '/taxes/1', '')).status, 405)
  shop.addSupporting('taxes', { id: 2, fields: { rate: '8.000' } })
  shop.key.permissions.taxes = ['GET', 'POST', 'DELETE']
  t.match((await write('POST', '/taxes', '<shopa><tax><rate>5.000</rate></tax></shopa>')).json(), {
    tax: { id: 3, rate: '5.000' }
  })
  t.equal((await write('DELETE', '/taxes/2', '')).status, 200)
  t.strictSame((await get('/taxes?sort=id_ASC')).json(), { taxes: [{ id: 1 }, { id: 3 }] })
})
