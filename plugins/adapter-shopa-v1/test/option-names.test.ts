import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../src/config.ts'
import { createVariantNames } from '../src/option-names.ts'
import { createShop, expectGet } from './shop.ts'

const { connect, logs, clock } = createShop(t)

function prepareNames (config?: Config) {
  const { client, context } = connect(config)
  return createVariantNames(client, context)
}

const withOptions = (...ids: number[]) => ({ id: 101, associations: { product_option_values: ids.map(id => ({ id: String(id) })) } })

function expectNames (ids: string, more = {}) {
  return expectGet('product_option_values', { 'filter[id]': ids, display: '[id,name]', ...more })
}

t.test('a variant is named after its options, of all combinations in one request', async t => {
  expectNames('[9|12|10]').reply(200, { product_option_values: [{ id: 9, name: 'Red' }, { id: 10, name: 'Blue' }, { id: 12, name: 'L' }] })

  const name = await prepareNames()([withOptions(9, 12), withOptions(10, 12)])

  t.equal(name(withOptions(9, 12)), 'Red, L')
  t.equal(name(withOptions(10, 12)), 'Blue, L')
})

t.test('options are named in the configured language', async t => {
  expectNames('[9]', { language: '2' }).reply(200, { product_option_values: [{ id: 9, name: [{ id: '1', value: 'Red' }, { id: '2', value: 'Czerwony' }] }] })

  t.equal((await prepareNames({ languageId: '2' })([withOptions(9)]))(withOptions(9)), 'Czerwony')
})

t.test('half a name is none', async t => {
  expectNames('[9|12]').reply(200, { product_option_values: [{ id: 9, name: 'Red' }, { id: 12, name: '' }] })

  t.equal((await prepareNames()([withOptions(9, 12)]))(withOptions(9, 12)), undefined)
})

t.test('combinations without options ask for nothing', async t => {
  t.equal((await prepareNames()([withOptions(), { id: 102 }]))({ id: 102 }), undefined)
})

t.test('a key that may not read options costs the names, one warning, and one try an hour', async t => {
  const prepare = prepareNames()
  expectNames('[9]').reply(401, { errors: [{ code: 26, message: 'not allowed' }] })
  t.equal((await prepare([withOptions(9)]))(withOptions(9)), undefined)
  t.match(logs, [{ level: 'warn', fields: { reason: /GET product_option_values/ } }])

  clock.advance(59 * 60_000)
  await prepare([withOptions(9)])

  clock.advance(60_000)
  expectNames('[9]').reply(200, { product_option_values: [{ id: 9, name: 'Red' }] })
  t.equal((await prepare([withOptions(9)]))(withOptions(9)), 'Red')
})

t.test('any other failure is the reading\'s failure', async t => {
  expectNames('[9]').reply(401, { errors: [{ code: 21, message: 'no' }] })

  await t.rejects(prepareNames()([withOptions(9)]), { code: AdapterErrorCode.authentication })
})
