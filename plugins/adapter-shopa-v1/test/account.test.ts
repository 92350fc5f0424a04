import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { readAccount } from '../src/account.ts'
import type { Config } from '../src/config.ts'
import { createShop, expectGet } from './shop.ts'

const { connect } = createShop(t)

const query = { display: '[id_shop]', sort: '[id_ASC]', limit: '1' }
const rows = (id: string) => ({ stock_availables: [{ id_shop: id }] })

/** Reads the account of a shop at another address; the client asks the one of the tests. */
async function accountAt (apiUrl: string, config: Partial<Config> = {}) {
  const { client, context } = connect(config)
  return readAccount(client, { config: context.config, credentials: { ...context.credentials, apiUrl } })
}

t.test("the account is the shop's address in one form, with the id that the webservice tells", async t => {
  const addresses = {
    'https://Shop.Test:443/api': 'shop.test',
    'http://shop.test/api': 'shop.test',
    'http://shop.test:8080/api': 'shop.test:8080',
    'https://www.shop.test/api': 'www.shop.test',
    'https://shop.test/Outlet//api': 'shop.test/Outlet'
  }
  for (const [apiUrl, address] of Object.entries(addresses)) {
    expectGet('stock_availables', query).reply(200, rows('2'))
    t.strictSame(await accountAt(apiUrl), { id: `${address}#2`, name: address }, apiUrl)
  }
})

t.test('the id of the shop is that of the config, or the first one when the webservice tells none', async t => {
  const url = 'https://shop.test/api'

  expectGet('stock_availables', { ...query, id_shop: '3' }).reply(200, rows('1'))
  t.match(await accountAt(url, { shopId: '3' }), { id: 'shop.test#3' })
  for (const answer of [[], rows('0'), rows('1')]) {
    expectGet('stock_availables', query).reply(200, answer)
    t.match(await accountAt(url), { id: 'shop.test#1' }, 'an empty shop, a shared stock, a single shop')
  }
})

t.test('a shop that does not accept the key has no account, even when the config names the shop', async t => {
  expectGet('stock_availables', { ...query, id_shop: '3' }).reply(401, '')

  await t.rejects(accountAt('https://shop.test/api', { shopId: '3' }), { code: AdapterErrorCode.authentication })
})
