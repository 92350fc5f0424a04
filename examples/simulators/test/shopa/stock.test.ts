import t from 'tap'
import { basic, codes, openShop, send, shopKey } from '../support.ts'

const patch = (id: number, fields: string) =>
  `<shopa><stock_available><id>${id}</id>${fields}</stock_available></shopa>`
const full = (fields = '') =>
  '<?xml version="1.0" encoding="UTF-8"?><anything><stock_available>' +
  '<id><![CDATA[4]]></id><id_product>28</id_product><id_product_attribute>0</id_product_attribute>' +
  `${fields}<depends_on_stock>0</depends_on_stock><out_of_stock>1</out_of_stock>` +
  '</stock_available></anything>'

t.test('PATCH writes the members it carries and answers the record', async t => {
  const { shop, write } = await openShop(t)

  const answer = await write('PATCH', '/stock_availables/4', patch(4, '<quantity><![CDATA[-3]]></quantity>'))

  t.equal(answer.status, 200)
  t.match(answer.json(), { stock_available: { id: 4, id_product: '28', quantity: '-3', out_of_stock: '2' } })
  t.equal(shop.stock(28, 0), -3)
})

t.test('PUT replaces the row and empties the columns that it leaves out', async t => {
  const { shop, get, write } = await openShop(t)
  shop.switches.dropFalsyMembers = false

  const answer = await write('PUT', '/stock_availables/4', full('<quantity>10</quantity>'))

  t.equal(answer.status, 200)
  t.match((await get('/stock_availables/4')).json(), {
    stock_available: { quantity: '10', out_of_stock: '1', id_shop: '0', location: '' }
  })
})

t.test('PUT without a required member is 400 with code 41 for each and changes nothing', async t => {
  const { shop, write } = await openShop(t)

  const answer = await write('PUT', '/stock_availables/4', patch(4, '<quantity>1</quantity>'))

  t.equal(answer.status, 400)
  t.strictSame(codes(answer), [41, 41, 41, 41])
  t.match(answer.text, 'parameter \\"id_product\\" required')
  t.equal(shop.stock(28, 0), 20)
})

t.test('writing the row of a combination makes row 0 the sum again', async t => {
  const { shop, write } = await openShop(t)
  t.equal(shop.stock(27, 0), 13)

  await write('PATCH', '/stock_availables/2', patch(2, '<quantity>1</quantity>'))

  t.equal(shop.stock(27, 101), 1)
  t.equal(shop.stock(27, 0), 6)
})

t.test('a write may name its records in the body only', async t => {
  const { shop, write } = await openShop(t)
  const record = (id: number, quantity: number) =>
    `<stock_available><id>${id}</id><quantity>${quantity}</quantity></stock_available>`

  const answer = await write('PATCH', '/stock_availables', `<shopa>${record(2, 3)}${record(3, 4)}</shopa>`)

  t.match(answer.json(), { stock_availables: [{ id: 2, quantity: '3' }, { id: 3, quantity: '4' }] })
  t.equal(shop.stock(27, 0), 7)
})

t.test('the answer to a write follows the output format', async t => {
  const { shop } = await openShop(t)

  const answer = await send(`${shop.apiUrl}/stock_availables/4`, {
    method: 'PATCH',
    headers: { authorization: basic(shopKey) },
    body: patch(4, '<quantity>7</quantity>')
  })

  t.match(answer.text, '<quantity><![CDATA[7]]></quantity>')
})

t.test('a body that is not XML is 500: warnings, and at last code 127, which quotes the whole body', async t => {
  const { write } = await openShop(t)

  const bodies = [
    '{"stock_available":{"id":4,"quantity":7}}',
    '',
    '<shopa><stock_available>',
    '<shopa/><shopa/>',
    patch(4, '<location>\u0001</location>'),
    patch(4, '<location>\uffff</location>')
  ]

  for (const body of bodies) {
    const answer = await write('PATCH', '/stock_availables/4', body)
    t.equal(answer.status, 500, body)
    t.strictSame(codes(answer), [3, 3, 3, 127], body)
    const { errors } = answer.json() as { errors: Array<{ message: string }> }
    t.ok(errors.at(-1)?.message.endsWith(body), body)
  }
})

t.test('a body whose id is missing, nested too deep or not that of the address is 400 with code 90', async t => {
  const { shop, write } = await openShop(t)
  const bodies = [
    '<shopa/>',
    '<shopa><stock_available><quantity>7</quantity></stock_available></shopa>',
    `<shopa>${patch(4, '')}</shopa>`,
    patch(1, '')
  ]

  for (const body of bodies) {
    const answer = await write('PATCH', '/stock_availables/4', body)
    t.equal(answer.status, 400, body)
    t.strictSame(codes(answer), [90], body)
  }
  t.equal(shop.stock(28, 0), 20)
})

t.test('writing a row that does not exist is 404 with code 92', async t => {
  const { write } = await openShop(t)

  const answer = await write('PATCH', '/stock_availables/999', patch(999, '<quantity>1</quantity>'))

  t.equal(answer.status, 404)
  t.strictSame(answer.json(), { errors: [{ code: 92, message: 'Invalid ID: 999' }] })
})

t.test('an invalid value is 400 with code 84; line breaks belong to the value', async t => {
  const { shop, write } = await openShop(t)

  for (const quantity of ['many', '1.5', '\n5\n', '']) {
    const answer = await write('PATCH', '/stock_availables/4', patch(4, `<quantity>${quantity}</quantity>`))
    t.equal(answer.status, 400, quantity)
    t.strictSame(answer.json(), {
      errors: [{ code: 84, message: 'Validation error: "Property StockAvailable->quantity is not valid"' }]
    })
  }
  t.equal(shop.stock(28, 0), 20)
})

t.test('a row that depends on stock management cannot be written', async t => {
  const { shop, write } = await openShop(t)
  shop.setDependsOnStock(28, 0, true)

  const answer = await write('PATCH', '/stock_availables/4', patch(4, '<quantity>7</quantity>'))

  t.equal(answer.status, 500)
  t.strictSame(codes(answer), [133])
  t.equal(shop.stock(28, 0), 20)
})

t.test('stock rows cannot be created or deleted', async t => {
  const { write } = await openShop(t)

  for (const method of ['POST', 'DELETE']) {
    const answer = await write(method, '/stock_availables/4', patch(4, ''))
    t.equal(answer.status, 405)
    t.strictSame(codes(answer), [101])
  }
})

t.test('an older shop answers PATCH with 405 and still takes PUT', async t => {
  const { shop, write } = await openShop(t)
  shop.switches.patch = false

  const patched = await write('PATCH', '/stock_availables/4', patch(4, '<quantity>7</quantity>'))
  const replaced = await write('PUT', '/stock_availables/4', full('<quantity>7</quantity>'))

  t.equal(patched.status, 405)
  t.strictSame(codes(patched), [23])
  t.equal(replaced.status, 200)
})

t.test('errors are XML unless JSON is asked for', async t => {
  const { shop } = await openShop(t)

  const answer = await send(`${shop.apiUrl}/nope`, { headers: { authorization: basic(shopKey) } })

  t.equal(answer.headers['content-type'], 'text/xml; charset=utf-8')
  t.match(
    answer.text,
    '<errors><error><code><![CDATA[27]]></code><message><![CDATA[Resource of type "nope" does not exist'
  )
})

t.test('the state methods refuse unknown ids', async t => {
  const { shop } = await openShop(t)

  t.throws(() => shop.setStock(27, 999, 1), { message: 'the shop has no stock row for product 27, combination 999' })
  t.throws(() => shop.setStock(28, 0, 1.5), { message: 'a quantity must be an integer, not 1.5' })
  t.throws(() => shop.addProduct({ id: 27, name: 'Again' }), { message: 'the shop already has product 27' })
  t.throws(() => shop.updateProduct(27, { colour: 'red' }), { message: "a product has no column 'colour'" })
  t.throws(() => shop.deleteProduct(1), { message: 'the shop has no product 1' })
})
