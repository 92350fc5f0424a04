import type { ShopAOptions } from '@linker/simulators'
import t from 'tap'
import { codes, createClock, openSender, openShop } from '../support.ts'

/** Opens a shop whose key may do everything with products and combinations. */
async function openEditableShop (t: Parameters<typeof openShop>[0], options: Partial<ShopAOptions> = {}) {
  const opened = await openShop(t, options)
  const everything = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  Object.assign(opened.shop.key.permissions, { products: everything, combinations: everything })
  return opened
}

const record = (name: string, members: string) => `<shopa><${name}>${members}</${name}></shopa>`
const product = (members: string) => record('product', members)
const combination = (members: string) => record('combination', members)

t.test('PATCH of a product writes its members and updates date_upd', async t => {
  const clock = createClock('2025-01-02T09:00:00Z')
  const { get, write } = await openEditableShop(t, { now: clock.now })
  clock.advance(60_000)

  const answer = await write(
    'PATCH',
    '/products/28',
    product('<id>28</id><price>9.500000</price><name><language id="1"><![CDATA[Bowl]]></language></name>')
  )

  t.equal(answer.status, 200)
  t.match((await get('/products/28')).json(), {
    product: {
      price: '9.500000',
      name: 'Bowl',
      reference: 'SKU-28',
      date_add: '2025-01-02 10:00:00',
      date_upd: '2025-01-02 10:01:00'
    }
  })
})

t.test('PUT of a product empties missing columns, but not those that the shop sets itself', async t => {
  const { get, write } = await openEditableShop(t)
  const associations = '<associations><categories><category><id>7</id></category></categories></associations>'
  const bowl = `<id>28</id><price>9</price><name><language id="1">Bowl</language></name>${associations}`

  const answer = await write('PUT', '/products/28', product(bowl))

  t.equal(answer.status, 200)
  const [stored] = JSON.parse((await get('/products?filter[id]=[28]&display=full')).text).products
  t.match(stored, {
    name: 'Bowl',
    price: '9',
    reference: '',
    ean13: '',
    active: '0',
    manufacturer_name: false,
    date_add: /^2/
  })
  t.strictSame(stored.associations.categories, [{ id: '7' }])
  t.strictSame(stored.associations.images, [{ id: '43' }])
})

t.test('each read-only member is 400 with code 93, and each missing required one is code 41', async t => {
  const { get, write } = await openEditableShop(t)

  const readOnly = '<manufacturer_name></manufacturer_name><quantity>5</quantity>'
  const notWritable = await write('PATCH', '/products/28', product(`<id>28</id>${readOnly}<price>1</price>`))
  const missing = await write('PUT', '/products/28', product('<id>28</id><reference>X</reference>'))
  const variant = await write('PUT', '/combinations/101', combination('<id>101</id><id_product>27</id_product>'))

  t.equal(notWritable.status, 400)
  t.strictSame(codes(notWritable), [93, 93])
  t.match(notWritable.text, 'parameter \\"manufacturer_name\\" not writable')
  t.strictSame(codes(missing), [41, 41])
  t.strictSame(codes(variant), [41])
  t.match(variant.text, 'minimal_quantity')
  t.match((await get('/products/28')).json(), { product: { price: '40.650407' } })
})

t.test('an invalid value is code 84, an invalid localised one 85', async t => {
  const { write } = await openEditableShop(t)
  const patch = async (members: string) => codes(await write('PATCH', '/products/28', product(`<id>28</id>${members}`)))

  t.strictSame(await patch('<price>1.2345678</price><active>yes</active>'), [84, 84])
  t.strictSame(await patch(`<reference>${'x'.repeat(65)}</reference>`), [84])
  t.strictSame(await patch('<name><language id="1"></language></name>'), [85])
  const ofUnknown = combination('<id>101</id><id_product>999</id_product>')
  t.strictSame(codes(await write('PATCH', '/combinations/101', ofUnknown)), [84])
})

t.test('POST adds a record with 201, and a combination joins its product with a stock row', async t => {
  const { shop, get, write } = await openEditableShop(t)
  const fork = '<name><language id="1">Fork</language></name><price>5</price>'
  const values = '<product_option_value><id>9</id></product_option_value>'
  const red = '<id_product>29</id_product><minimal_quantity>1</minimal_quantity>' +
    `<associations><product_option_values>${values}</product_option_values></associations>`

  const added = await write('POST', '/products', product(fork))
  const variant = await write('POST', '/combinations', combination(red))

  t.equal(added.status, 201)
  t.match(added.json(), { product: { id: 29, name: 'Fork' } })
  t.match(variant.json(), {
    combination: { id: 103, id_product: '29', associations: { product_option_values: [{ id: '9' }] } }
  })
  t.match((await get('/products/29')).json(), {
    product: {
      id_default_combination: '103',
      associations: { combinations: [{ id: '103' }], product_option_values: [{ id: '9' }] }
    }
  })
  t.equal(shop.stockOf(29, 103), 0)
})

t.test('an id in the body is forbidden for POST and required once for PUT and PATCH', async t => {
  const { write } = await openEditableShop(t)

  const added = await write('POST', '/products', product('<id>5</id><name>Fork</name><price>5</price>'))
  const mug = '<product><id>27</id></product>'
  const twice = await write('PATCH', '/products', `<shopa>${mug}${mug}</shopa>`)
  const other = await write('PATCH', '/products/27', product('<id>28</id>'))
  const unknown = await write('PATCH', '/products/999', product('<id>999</id>'))
  const nothing = await write('POST', '/products', '<shopa/>')

  t.strictSame([added.status, codes(added)], [400, [91]])
  t.strictSame([twice.status, codes(twice)], [400, [89]])
  t.strictSame([other.status, codes(other)], [400, [90]])
  t.strictSame([unknown.status, codes(unknown)], [404, [92]])
  t.strictSame([nothing.status, codes(nothing)], [400, [41, 41]])
})

t.test('DELETE answers an empty body and deletes the combinations and stock rows of a product', async t => {
  const { get, write } = await openEditableShop(t)

  const deleted = await write('DELETE', '/products/27', '')
  const again = await write('DELETE', '/products/27', '')

  t.strictSame([deleted.status, deleted.text], [200, ''])
  t.strictSame([again.status, codes(again)], [404, [87]])
  t.equal((await get('/products/27')).status, 404)
  t.equal((await get('/combinations?filter[id_product]=[27]')).text, '[]')
  t.strictSame((await get('/stock_availables')).json(), { stock_availables: [{ id: 4 }] })
})

t.test('DELETE of several records deletes none if one is missing', async t => {
  const { get, write } = await openEditableShop(t)

  const missing = await write('DELETE', '/products?id=[27,999]', '')
  const none = await write('DELETE', '/products', '')
  const kept = (await get('/products?sort=id_ASC')).json()
  const both = await write('DELETE', '/products?id=[27,28]', '')

  t.strictSame(codes(missing), [87])
  t.strictSame(codes(none), [87])
  t.strictSame(kept, { products: [{ id: 27 }, { id: 28 }] })
  t.equal(both.status, 200)
  t.equal((await get('/products')).text, '[]')
})

t.test('a deleted combination leaves its product, whose row 0 becomes the sum of the others', async t => {
  const { shop, get, write } = await openEditableShop(t)

  await write('DELETE', '/combinations/101', '')

  t.equal(shop.stockOf(27, 0), 5)
  t.throws(() => shop.stockOf(27, 101), { message: 'the shop has no stock row for product 27, combination 101' })
  const [{ associations, id_default_combination: standard }] =
    JSON.parse((await get('/products?filter[id]=[27]&display=full')).text).products
  t.equal(standard, 102)
  t.strictSame(associations.combinations, [{ id: '102' }])
  t.strictSame(associations.product_option_values, [{ id: '10' }])
  t.strictSame(associations.stock_availables, [
    { id: '1', id_product_attribute: '0' },
    { id: '3', id_product_attribute: '102' }
  ])
  shop.deleteCombination(102)
  t.equal(shop.stockOf(27, 0), 0)
  t.strictSame(shop.quantities(), [
    { productId: 27, combinationId: 0, quantity: 0 },
    { productId: 28, combinationId: 0, quantity: 20 }
  ])
})

t.test('a combination added by hand counts in row 0 and announces its product', async t => {
  const { shop } = await openSender(t)

  t.equal(shop.addCombination(27, { id: 103, quantity: 4, optionValues: [11] }), 'e3a637dd-70f4-11f4-1322-17ce5f42b233')
  t.equal(shop.stockOf(27, 0), 17)
  t.equal(shop.updateCombination(103, { reference: 'SKU-27-G' }), undefined)
  t.throws(() => shop.addCombination(27, { id: 101, quantity: 1 }), { message: 'the shop already has combination 101' })
  t.throws(() => shop.addCombination(1, { id: 104, quantity: 1 }), { message: 'the shop has no product 1' })
})

t.test('a product written through the webservice comes back as an event, a deleted one does not', async t => {
  const { shop, write } = await openSender(t)
  shop.key.permissions.products = ['PATCH', 'DELETE']

  await write('PATCH', '/products/28', product('<id>28</id><price>1</price>'))
  await write('DELETE', '/products/27', '')

  t.match(shop.sender.outbox.rows(), [{ eventType: 'product.saved', externalId: '28' }])
  t.equal(shop.sender.outbox.rows().length, 1)
})

t.test('a shop in maintenance answers 503 with code 22 to a valid key, in the requested format', async t => {
  const { shop, get } = await openShop(t)
  shop.switches.webserviceOff = true

  const answer = await get('/products')

  t.equal(answer.status, 503)
  t.strictSame(codes(answer), [22])
  shop.key.permissions = {}
  t.strictSame(codes(await get('/products')), [21])
})
