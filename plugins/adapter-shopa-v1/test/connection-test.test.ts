import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createShop, expectGet } from './shop.ts'

const { connect } = createShop(t)

const notPermitted = { errors: [{ code: 26, message: 'not allowed' }] }
const readAlways = ['products', 'combinations', 'stock_availables', 'product_option_values', 'orders']

t.test('the connection test reads every resource that the key must permit, even in an empty shop', async t => {
  for (const resource of readAlways) expectGet(resource, { limit: '1' }).reply(200, [])
  t.match(await connect().client.test(), {
    message: /products, combinations, stock_availables$/,
    warnings: undefined
  })

  for (const resource of [...readAlways, 'countries', 'tax_rules', 'taxes']) {
    expectGet(resource, { limit: '1' }).reply(200, [])
  }
  t.match(await connect({ prices: { country: 'PL', currency: 'PLN' } }).client.test(), { message: /taxes$/ })
})

t.test('the connection test names the resource that the key lacks', async t => {
  for (const resource of ['products', 'combinations', 'product_option_values', 'orders']) {
    expectGet(resource, { limit: '1' }).reply(200, [])
  }
  expectGet('stock_availables', { limit: '1' }).reply(401, notPermitted)

  await t.rejects(connect().client.test(), { code: AdapterErrorCode.configuration, message: /GET stock_availables/ })
})

t.test('a key that may not read option names or orders passes with a warning', async t => {
  for (const resource of readAlways.slice(0, 3)) expectGet(resource, { limit: '1' }).reply(200, [])
  for (const resource of readAlways.slice(3)) expectGet(resource, { limit: '1' }).reply(401, notPermitted)

  t.match(await connect().client.test(), {
    message: /may read/,
    warnings: [/no names: .*GET product_option_values/, /cannot be read: .*GET orders/]
  })
})

t.test('the connection test names a time zone that does not exist', async t => {
  await t.rejects(connect({ timeZone: 'Europe/Nowhere' }).client.test(), {
    code: AdapterErrorCode.configuration,
    message: /Europe\/Nowhere/
  })
})
