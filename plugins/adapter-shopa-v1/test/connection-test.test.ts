import { AdapterErrorCode } from '@linker/sdk'
import nock from 'nock'
import t from 'tap'
import type { Config } from '../src/config.ts'
import { testConnection } from '../src/connection-test.ts'
import { createShop, expectGet } from './shop.ts'

const { connect } = createShop(t)

const notPermitted = { errors: [{ code: 26, message: 'not allowed' }] }
const always = ['products', 'combinations', 'stock_availables']
const byKey = ['product_option_values', 'product_options', 'orders', 'order_details', 'order_states', 'order_histories']
  .concat(['order_carriers', 'carriers', 'countries', 'currencies', 'customers', 'addresses', 'carts', 'messages'])
  .concat(['specific_prices', 'tax_rules', 'taxes', 'tax_rule_groups', 'order_payments', ...always])
const everything = 'get="true" put="true" post="true" delete="true"'

async function run (config: Partial<Config> = {}) {
  const { client, context } = connect({ paymentModule: 'shopwire', ...config })
  return testConnection(client, context)
}

/** Expects the listing of the key's permissions. `methods`: those that differ. */
function expectRoot (methods: Record<string, string> = {}) {
  const listed = byKey.map(name =>
    `<${name} xlink:href="https://shop.test/api/${name}" ${methods[name] ?? everything}/>`
  )
  return nock('https://shop.test', { reqheaders: { 'output-format': 'XML' } }).get('/api/')
    .reply(
      200,
      `<shopa xmlns:xlink="http://www.w3.org/1999/xlink"><api shopName="Shop">${listed.join('')}</api></shopa>`
    )
}

function expectReads (...resources: string[]) {
  for (const resource of resources) expectGet(resource, { limit: '1' }).reply(200, [])
}

function expectSecret (secret?: string) {
  const rows = secret === undefined ? [] : [{ id: 5, name: 'LINKER_WEBHOOK_SECRET', value: secret }]
  expectGet('configurations', { 'filter[name]': '[LINKER_WEBHOOK_SECRET]', display: 'full' })
    .reply(200, rows.length === 0 ? [] : { configurations: rows })
}

function expectModule (status: number, body: unknown, headers = {}) {
  nock('https://shop.test').post('/index.php', '{}')
    .query({ fc: 'module', module: 'linker', controller: 'cartshipping' })
    .reply(status, body as nock.Body, headers)
}

function expectCarriers (...carriers: object[]) {
  expectGet('carriers', { display: 'full', sort: '[id_ASC]' }).reply(200, carriers.length === 0 ? [] : { carriers })
}

t.test('the test reads every resource that the config makes necessary, even in an empty shop', async t => {
  expectRoot()
  expectReads(...always)
  expectSecret()
  t.match(await run(), { message: /products, combinations, stock_availables$/, warnings: undefined })

  expectRoot()
  expectReads(...always, 'countries', 'tax_rules', 'taxes')
  expectSecret()
  t.match(await run({ prices: { country: 'PL', currency: 'PLN' } }), { message: /taxes$/ })
})

t.test('the test names exactly what the key lacks', async t => {
  expectRoot({ products: 'put="true"', stock_availables: '' })
  await t.rejects(run(), {
    code: AdapterErrorCode.configuration,
    message: 'the key has no permission for GET products, GET stock_availables: grant it to this key in the shop'
  })

  expectRoot({ product_options: '', carts: 'get="true" put="true"', orders: 'get="true"' })
  expectReads(...always)
  t.match(await run({ orderPath: 'webservice' }), {
    warnings: [
      'variants have no names or options: the key lacks GET product_options',
      'orders cannot be made, read and changed: the key lacks PUT orders, POST carts, POST orders'
    ]
  })
})

t.test('an order of the module is changed by PUT, too, and the groups of taxes tell what is switched off', async t => {
  expectRoot({ orders: 'get="true"', tax_rule_groups: '' })
  expectReads(...always)
  expectSecret('secret')
  expectModule(400, { error: 'invalid-fields' })
  expectCarriers()

  t.match((await run()).warnings, [
    'tax rules groups that are switched off count as active: the key lacks GET tax_rule_groups',
    'orders cannot be made, read and changed: the key lacks PUT orders'
  ])
})

t.test('a missing payment module is a warning where the webservice makes orders', async t => {
  expectRoot()
  expectReads(...always)

  t.match((await run({ orderPath: 'webservice', paymentModule: undefined })).warnings, [
    /no order can be made: .* need config\.paymentModule, .* folder below `modules\/`/
  ])
})

t.test('a shop that does not list the permissions is asked for the resources', async t => {
  nock('https://shop.test').get('/api/').reply(404, '<html>Not found</html>')
  expectReads(...always)
  for (const resource of ['product_option_values', 'orders']) {
    expectGet(resource, { limit: '1' }).reply(401, notPermitted)
  }
  expectSecret()

  t.match(await run(), {
    message: /may read/,
    warnings: [/no names: .*GET product_option_values/, /cannot be read: .*GET orders/]
  })
})

t.test('a bare 401 names the dropped header first, and a code says that the key is wrong', async t => {
  nock('https://shop.test').get('/api/').reply(401, '401 Unauthorized', { 'content-type': 'text/html' })
  await t.rejects(run(), {
    code: AdapterErrorCode.authentication,
    message: /drops the Authorization header.*CGIPassAuth.*Else the key is missing/
  })

  const errors = [{ code: 20, message: 'not active' }, { code: 21, message: 'no permission' }]
  nock('https://shop.test').get('/api/').reply(401, { errors })
  await t.rejects(run(), { code: AdapterErrorCode.authentication, message: /the shop refused the key/ })
})

t.test('where the module makes orders, it is called, and its refusal of an empty body is the proof', async t => {
  expectRoot()
  expectReads(...always)
  expectSecret('secret')
  expectModule(400, { error: 'invalid-fields' })
  expectCarriers({ id: 3, external_module_name: 'linker', active: '1', id_tax_rules_group: '0' })

  t.match(await run(), { message: /shop-side module answers and knows the secret/, warnings: undefined })
})

t.test('the maintenance page is a warning, and so is a tax on the carrier of the module', async t => {
  expectRoot()
  expectReads(...always)
  expectSecret('secret')
  expectModule(503, '<html></html>', { 'content-type': 'text/html', 'retry-after': '3600' })
  expectCarriers(
    { id: 3, name: 'Delivery', external_module_name: 'linker', active: '1', id_tax_rules_group: 1 },
    { id: 4, name: 'Old', external_module_name: 'linker', active: '1', deleted: '1', id_tax_rules_group: 1 },
    { id: 5, name: 'Other', external_module_name: '', active: '1', id_tax_rules_group: 1 }
  )

  t.match((await run()).warnings, [/maintenance page, 503/, /"No tax" for carrier 3 'Delivery'/])
})

t.test('a module that is absent, knows another secret or has another time fails the test in words', async t => {
  const cases = [
    [404, '', AdapterErrorCode.configuration, /is the module installed/],
    [200, '<html>Welcome</html>', AdapterErrorCode.configuration, /something else .* \(HTTP 200\)/],
    [200, { ok: true }, AdapterErrorCode.configuration, /something else .* \(HTTP 200\)/],
    [400, '<html>Blocked</html>', AdapterErrorCode.configuration, /something else .* \(HTTP 400\)/],
    [422, '<html>Blocked</html>', AdapterErrorCode.configuration, /something else .* \(HTTP 422\)/],
    [422, { error: 'invalid-fields' }, AdapterErrorCode.configuration, /something else .* \(HTTP 422\)/],
    [400, { error: 'not-allowed' }, AdapterErrorCode.configuration, /something else .* \(not-allowed\)/],
    [401, { error: 'invalid-signature' }, AdapterErrorCode.configuration, /install the webhooks again/],
    [401, { error: 'timestamp-out-of-window' }, AdapterErrorCode.transient, /clocks of hub and shop differ/]
  ] as const
  for (const [status, body, code, message] of cases) {
    expectRoot()
    expectReads(...always)
    expectSecret('secret')
    expectModule(status, body)
    expectCarriers()
    await t.rejects(run(), { code, message })
    nock.cleanAll()
  }
})

t.test('the test fails before any request when the time zone does not exist, and names it', async t => {
  await t.rejects(run({ timeZone: 'Europe/Nowhere' }), {
    code: AdapterErrorCode.configuration,
    message: /Europe\/Nowhere/
  })
})
