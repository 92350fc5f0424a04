import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createShop, expectGet } from './shop.ts'

const { connect } = createShop(t)

const notPermitted = { errors: [{ code: 26, message: 'not allowed' }] }
// A key without the last two gets only a warning.
const readAlways = ['products', 'combinations', 'stock_availables', 'product_option_values', 'orders']

t.test('the connection test reads every resource that the config makes necessary, even in an empty shop', async t => {
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

t.test('the connection test fails and names the necessary resource that the key may not read', async t => {
  for (const resource of ['products', 'combinations', 'product_option_values', 'orders']) {
    expectGet(resource, { limit: '1' }).reply(200, [])
  }
  expectGet('stock_availables', { limit: '1' }).reply(401, notPermitted)

  await t.rejects(connect().client.test(), { code: AdapterErrorCode.configuration, message: /GET stock_availables/ })
})

t.test('the connection test passes with warnings when the key may not read option names and orders', async t => {
  for (const resource of readAlways.slice(0, 3)) expectGet(resource, { limit: '1' }).reply(200, [])
  for (const resource of readAlways.slice(3)) expectGet(resource, { limit: '1' }).reply(401, notPermitted)

  t.match(await connect().client.test(), {
    message: /may read/,
    warnings: [/no names: .*GET product_option_values/, /cannot be read: .*GET orders/]
  })
})

t.test('the connection test fails before any request when the time zone does not exist, and names it', async t => {
  await t.rejects(connect({ timeZone: 'Europe/Nowhere' }).client.test(), {
    code: AdapterErrorCode.configuration,
    message: /Europe\/Nowhere/
  })
})
