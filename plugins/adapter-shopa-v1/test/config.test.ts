import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { Config, Credentials, normalizeCredentials } from '../src/config.ts'
import adapter from '../src/index.ts'

t.test('an apiUrl is stored in one form', async t => {
  const given = [
    ['https://shop.test', 'https://shop.test/api'],
    ['https://shop.test///', 'https://shop.test/api'],
    [' https://shop.test/api/ ', 'https://shop.test/api'],
    ['https://shop.test/api', 'https://shop.test/api'],
    ['https://shop.test/folder', 'https://shop.test/folder/api'],
    ['https://shop.test/folder/api//', 'https://shop.test/folder/api'],
    ['https://shop.test/myapi', 'https://shop.test/myapi/api'],
    ['https://api', 'https://api/api']
  ]

  for (const [apiUrl, stored] of given) {
    t.same(normalizeCredentials({ apiUrl, apiKey: 'k' }), { apiUrl: stored, apiKey: 'k' })
  }
})

t.test('credentials of another shape are left to the schema', async t => {
  for (const other of [null, 'key', 7, [], { apiKey: 'k' }, { apiUrl: 5 }]) t.same(normalizeCredentials(other), other)
})

t.test('the key is marked secret and the address is not', async t => {
  t.equal(Credentials.properties.apiKey.secret, true)
  t.equal(Credentials.properties.apiUrl.secret, undefined)
})

t.test('webhooks are signed and keep the default events', async t => {
  t.equal(adapter.webhooks?.scheme, 'hmac')
  t.equal(adapter.webhooks?.events, undefined)
})

t.test('prices need both a country and a currency', async t => {
  t.ok(Value.Check(Config, Value.Default(Config, { prices: { country: 'PL', currency: 'PLN' } })))
  for (const prices of [{}, { country: 'PL' }, { country: 'pl', currency: 'PLN' }, { country: 'PL', currency: 'zl' }]) {
    t.notOk(Value.Check(Config, Value.Default(Config, { prices })), JSON.stringify(prices))
  }
})
