import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../../src/config.ts'
import { createVariantNames } from '../../src/products/variant-names.ts'
import { createShop, expectGet } from '../shop.ts'

const { connect, logs, clock } = createShop(t)

function prepareNames (config?: Partial<Config>) {
  const { client, context } = connect(config)
  return createVariantNames(client, context)
}

const withOptions = (...ids: number[]) => ({
  id: 101,
  associations: { product_option_values: ids.map(id => ({ id: String(id) })) }
})

function expectNames (ids: string, more = {}) {
  return expectGet('product_option_values', { 'filter[id]': ids, display: '[id,id_attribute_group,name]', ...more })
}

t.test('variants are named after their options, with one request for all combinations', async t => {
  expectNames('[9|12|10]').reply(200, {
    product_option_values: [{ id: 9, name: 'Red' }, { id: 10, name: 'Blue' }, { id: 12, name: 'L' }]
  })

  const name = await prepareNames()([withOptions(9, 12), withOptions(10, 12)])

  t.same(name(withOptions(9, 12)), { name: 'Red, L' })
  t.same(name(withOptions(10, 12)), { name: 'Blue, L' })
})

t.test('a variant has options with group names, unless a group has no name', async t => {
  const values = [
    { id: 9, id_attribute_group: '1', name: 'Red' },
    { id: 12, id_attribute_group: '2', name: 'L' },
    { id: 13, id_attribute_group: '3', name: 'Matt' }
  ]
  expectNames('[9|12|13]').reply(200, { product_option_values: values })
  expectGet('product_options', { 'filter[id]': '[1|2|3]', display: '[id,name,public_name]' })
    .reply(200, {
      product_options: [{ id: 1, name: 'Mug colour', public_name: 'Colour' }, { id: 2, name: 'Size', public_name: '' }]
    })

  const names = await prepareNames()([withOptions(9, 12), withOptions(9, 13)])

  t.same(names(withOptions(9, 12)), {
    name: 'Red, L',
    options: [{ name: 'Colour', value: 'Red' }, { name: 'Size', value: 'L' }]
  })
  t.same(names(withOptions(9, 13)), { name: 'Red, Matt' })
})

t.test('options are named in the configured language', async t => {
  expectNames('[9]', { language: '2' }).reply(200, {
    product_option_values: [{ id: 9, name: [{ id: '1', value: 'Red' }, { id: '2', value: 'Czerwony' }] }]
  })

  t.same((await prepareNames({ languageId: '2' })([withOptions(9)]))(withOptions(9)), { name: 'Czerwony' })
})

t.test('a variant with a nameless option gets no name', async t => {
  expectNames('[9|12]').reply(200, { product_option_values: [{ id: 9, name: 'Red' }, { id: 12, name: '' }] })

  t.same((await prepareNames()([withOptions(9, 12)]))(withOptions(9, 12)), {})
})

t.test('combinations without options need no request', async t => {
  t.same((await prepareNames()([withOptions(), { id: 102 }]))({ id: 102 }), {})
})

t.test('without permission to read options the names are missing, with one warning and one try an hour', async t => {
  const prepare = prepareNames()
  expectNames('[9]').reply(401, { errors: [{ code: 26, message: 'not allowed' }] })
  t.same((await prepare([withOptions(9)]))(withOptions(9)), {})
  t.match(logs, [{ level: 'warn', fields: { reason: /GET product_option_values/ } }])

  clock.advance(59 * 60_000)
  await prepare([withOptions(9)])

  clock.advance(60_000)
  expectNames('[9]').reply(200, { product_option_values: [{ id: 9, name: 'Red' }] })
  t.same((await prepare([withOptions(9)]))(withOptions(9)), { name: 'Red' })
})

t.test('any other failure is thrown', async t => {
  expectNames('[9]').reply(401, { errors: [{ code: 21, message: 'no' }] })

  await t.rejects(prepareNames()([withOptions(9)]), { code: AdapterErrorCode.authentication })
})
