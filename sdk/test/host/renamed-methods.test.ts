import { defineAdapter, type FormerOfferManager } from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { createTestHost } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const written: unknown[][] = []
const done = { applied: ['stock'], frozen: [] }
const former: FormerOfferManager = {
  createOffer: async () => undefined,
  updateOffer: async () => done,
  getOffer: async externalId => ({ externalId, status: 'ACTIVE', frozenFields: [], problems: [] }),
  async updateStock (...args) {
    written.push(args)
    return done
  },
  async updateStockMany (...args) {
    written.push(args)
    return []
  }
}
const manifest = {
  adapterKey: 'market.api.v1',
  platformType: 'market',
  displayName: 'Market',
  capabilities: ['OfferManager']
}
const settings = {
  config: Type.Object({}),
  credentials: Type.Null(),
  connect: () => null,
  account: async () => ({ id: '1', name: 'Test' })
}
const adapter = defineAdapter({ ...settings, capabilities: { OfferManager: () => former } })

t.test('the former names of methods are described as the present ones, with a deprecation for each', async t => {
  const { capabilities, deprecations } = describeAdapter(adapter)

  t.strictSame([...capabilities.OfferManager ?? []].toSorted(), [
    'createOffer',
    'getOffer',
    'updateOffer',
    'updateOfferQuantities',
    'updateOfferQuantity'
  ])
  t.match(deprecations, [
    /^OfferManager\.updateStock is deprecated: .*updateOfferQuantity$/,
    /^OfferManager\.updateStockMany is deprecated: .*updateOfferQuantities$/
  ])
})

t.test('a call by the present name reaches the former method, and one by the former name too', async t => {
  const host = createTestHost()
  t.teardown(() => host.close())
  const market = await host.open({ manifest, definition: adapter, config: {}, credentials: null })
  const call = (method: string, ...args: unknown[]) =>
    market.call({ kind: 'capability', capability: 'OfferManager', method }, args)

  t.strictSame(await call('updateOfferQuantity', { externalId: 'a', quantity: 3, commandId: 'c-1' }), done)
  await call('updateOfferQuantities', [{ externalId: 'b', quantity: 4, commandId: 'c-2' }])
  await call('updateStock', 'c', 5)

  t.strictSame(written, [['a', 3], [[{ externalId: 'b', quantity: 4 }]], ['c', 5]])
})

t.test('both names of one method are refused', async t => {
  const both = { ...former, updateOfferQuantity: async () => done }
  const doubled = defineAdapter({ ...settings, capabilities: { OfferManager: () => both } })

  t.throws(() => describeAdapter(doubled), {
    code: 'LNK_ADAPTER_SHAPE_INVALID',
    message: /updateStock and updateOfferQuantity.*remove updateStock/
  })
})

t.test('a factory that needs a real client is held to the same when it makes the capability', async t => {
  const doubled = defineAdapter({
    ...settings,
    connect: () => ({ isReady: true }),
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {
      OfferManager: client => {
        // The dummy of the description is no plain value.
        if (client.isReady !== true) throw new Error('not ready')
        return { ...former, updateOfferQuantity: async () => done }
      }
    }
  })
  t.strictSame(describeAdapter(doubled).capabilities, { OfferManager: null })
  const host = createTestHost()
  t.teardown(() => host.close())
  const market = await host.open({ manifest, definition: doubled, config: {}, credentials: null })

  await t.rejects(market.call({ kind: 'capability', capability: 'OfferManager', method: 'getOffer' }, ['a']), {
    code: 'LNK_ADAPTER_CONFIGURATION',
    message: /remove updateStock/
  })
})

t.test('an adapter with the present names has no deprecations', async t => {
  const { updateStock: _one, updateStockMany: _many, ...rest } = former
  const present = { ...rest, updateOfferQuantity: async () => done }

  t.notOk('deprecations' in
    describeAdapter(defineAdapter({ ...settings, capabilities: { OfferManager: () => present } })))
})
