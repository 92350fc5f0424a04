import { AdapterErrorCode } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import adapter from '../../src/index.ts'
import { syncInventory } from '../../src/stock/sync.ts'
import { createShop, expectAll, expectGet, expectStates } from '../shop.ts'

const { connect } = createShop(t)

function run () {
  const { client, context } = connect()
  const payload = { externalId: '27', objectType: 'stock' }
  return syncInventory.run(client, { id: 'job-1', type: 'shopa.inventory.syncByExternalId', payload }, context)
}

t.test('the job returns the present stock of the product in the shop', async t => {
  expectStates({ 27: '1' })
  expectAll('stock_availables', { 'filter[id_product]': '[27]', display: 'full' }).reply(200, {
    stock_availables: [{ id: 67, id_product: '27', id_product_attribute: '0', quantity: '13' }]
  })
  expectAll('combinations', { 'filter[id_product]': '[27]', display: '[id,id_product]' }).reply(200, [])

  t.same(await run(), { stock: [{ productExternalId: '27', variantExternalId: 'product:27', quantity: 13 }] })
})

t.test('the job for a deleted product succeeds with a result that says so, and returns no quantity', async t => {
  expectStates({}, ['27'])
  expectAll('stock_availables', { 'filter[id_product]': '[27]', display: 'full' }).reply(200, [])
  expectAll('combinations', { 'filter[id_product]': '[27]', display: '[id,id_product]' }).reply(200, [])
  expectGet('products/27', {}).reply(404)

  t.match(await run(), { result: { externalId: '27', found: false, message: 'product 27' } })
})

t.test('the job throws the error of a refused request', async t => {
  expectStates({ 27: '1' })
  expectAll('stock_availables', { 'filter[id_product]': '[27]', display: 'full' }).reply(401, {
    errors: [{ code: 21, message: 'no' }]
  })
  expectAll('combinations', { 'filter[id_product]': '[27]', display: '[id,id_product]' }).reply(200, [])

  await t.rejects(run(), { code: AdapterErrorCode.authentication })
})

t.test('the payload of the job needs an external id that is not empty, and may have other members', async t => {
  const { payload } = syncInventory

  t.ok(Value.Check(payload, { externalId: '27' }))
  t.ok(Value.Check(payload, { externalId: '27', objectType: 'stock', payload: { id_product_attribute: 101 } }))
  t.notOk(Value.Check(payload, {}))
  t.notOk(Value.Check(payload, { externalId: '' }))
  t.ok('shopa.inventory.syncByExternalId' in (adapter.jobs ?? {}))
})
