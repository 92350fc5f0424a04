import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../../src/config.ts'
import { createInventoryMaster } from '../../src/stock/inventory-master.ts'
import { createPackIndex } from '../../src/stock/pack-index.ts'
import { syncInventory } from '../../src/stock/sync.ts'
import { createShop, expectAll, expectGet } from '../shop.ts'

const { connect, contextFor, logs, kv } = createShop(t)

const parts = [
  { id: '27', id_product_attribute: '101', quantity: '2' },
  { id: '28', id_product_attribute: '0', quantity: '1' }
]
const packRow = (stockType: unknown, bundle: readonly object[] = parts) => ({
  id: 50,
  state: '1',
  type: 'pack',
  pack_stock_type: stockType,
  associations: { product_bundle: bundle }
})
const stockRow = (product: number, attribute: number, quantity: unknown) => ({
  id: product * 1_000 + attribute,
  id_product: String(product),
  id_product_attribute: String(attribute),
  id_shop: '1',
  quantity
})

/** A shop with pack 50 of two pieces of combination 101 and one of product 28. */
function expectPack (row: object, { own = '3', red = '8', plates = '20', partIds = ['27', '28'] } = {}) {
  expectGet('products', { 'filter[id]': '[50]', display: '[id,state,type]' }).reply(200, {
    products: [{ id: 50, state: '1', type: 'pack' }]
  })
  expectAll('stock_availables', { 'filter[id_product]': '[50]', display: 'full' }).reply(200, {
    stock_availables: [stockRow(50, 0, own)]
  })
  expectAll('combinations', { 'filter[id_product]': '[50]', display: '[id,id_product]' }).reply(200, [])
  expectGet('products', { 'filter[id]': '[50]', display: 'full' }).reply(200, { products: [row] })
  if (partIds.length === 0) return
  const ofParts = { 'filter[id_product]': `[${partIds.join('|')}]` }
  expectAll('stock_availables', { ...ofParts, display: 'full' }).reply(200, {
    stock_availables: [stockRow(27, 0, '13'), stockRow(27, 101, red), stockRow(27, 102, '5'), stockRow(28, 0, plates)]
  })
  expectAll('combinations', { ...ofParts, display: '[id,id_product]' }).reply(200, {
    combinations: [{ id: 101, id_product: '27' }, { id: 102, id_product: '27' }]
  })
}

function expectSetting (configurations: readonly object[]) {
  expectGet('configurations', { 'filter[name]': '%[PACK_STOCK_TYPE]', display: 'full' })
    .reply(200, configurations.length === 0 ? [] : { configurations })
}

const setting = (value: string, shop?: string) => ({ id: 9, name: 'SHOP_PACK_STOCK_TYPE', value, id_shop: shop })

async function quantityOf (config?: Partial<Config>) {
  const { client, context } = connect(config)
  return (await createInventoryMaster(client, context).getStock('50')).map(({ quantity }) => quantity)
}

t.test('the type of a pack says what counts: its parts, the lesser of both, or its own row', async t => {
  expectPack(packRow('1'))
  t.same(await quantityOf(), [4], 'eight red ones make four')

  expectPack(packRow(1), { plates: '3' })
  t.same(await quantityOf(), [3], 'three plates make three')

  expectPack(packRow('2'))
  t.same(await quantityOf(), [3], 'the own row is less')

  expectPack(packRow('2'), { red: '2' })
  t.same(await quantityOf(), [1], 'the parts are less')

  expectPack(packRow(undefined))
  t.same(await quantityOf(), [3], 'a shop of an early line has own rows only')
})

t.test('type 3 follows the general setting, and that of the shop comes first', async t => {
  for (const [value, sold] of [['0', 3], ['1', 4], ['2', 3]] as const) {
    expectPack(packRow('3'))
    expectSetting([setting(value)])
    t.same(await quantityOf(), [sold])
  }

  expectPack(packRow('3'))
  expectSetting([setting('0'), setting('1', '1')])
  t.same(await quantityOf(), [4])

  expectPack(packRow('3'))
  t.same(await quantityOf({ packStock: 'parts' }), [4], 'the operator says it')
})

t.test('type 0 is the own row, and the lesser of both where a line reads it as the general setting', async t => {
  expectPack(packRow('0'), { red: '2' })
  expectSetting([setting('0')])
  t.same(await quantityOf(), [3])

  expectPack(packRow('0'), { red: '2' })
  expectSetting([setting('1')])
  t.same(await quantityOf(), [1])
})

t.test('an unknown setting or an unknown part makes the level unknown, never the own row', async t => {
  const unknown = (reason: RegExp) => ({ code: AdapterErrorCode.transient, message: reason })

  expectPack(packRow('3'))
  expectSetting([])
  await t.rejects(quantityOf(), unknown(/general setting for packs is unknown.*config\.packStock/))

  expectPack(packRow('3'))
  expectGet('configurations', { 'filter[name]': '%[PACK_STOCK_TYPE]', display: 'full' })
    .reply(401, { errors: [{ code: 26, message: 'no' }] })
  await t.rejects(quantityOf(), unknown(/general setting/))
  t.match(logs, [{ level: 'warn', message: /general setting for packs cannot be read/ }])

  expectPack(packRow('1'), { red: '' })
  await t.rejects(quantityOf(), unknown(/stock of part 27, combination 101, is unknown/))

  expectPack(packRow('2', [{ id: '27', quantity: '1' }]), { partIds: ['27'] })
  await t.rejects(quantityOf(), unknown(/stock of part 27 is unknown/), 'the sum of the combinations is no part')

  expectPack(packRow('1', [{ id: '27', id_product_attribute: '101' }]), { partIds: ['27'] })
  await t.rejects(quantityOf(), unknown(/how many pieces of part 27/))

  expectPack(packRow('1', []), { partIds: [] })
  await t.rejects(quantityOf(), unknown(/does not tell the parts/))
})

t.test('a part with backorders makes no packs', async t => {
  expectPack(packRow('1'), { red: '-4' })
  t.same(await quantityOf(), [0])
})

t.test('a change of a part reads the packs that are known to contain it', async t => {
  const { client, context } = connect()
  expectPack(packRow('1'))
  await createInventoryMaster(client, context).getStock('50')
  t.match(kv(), { 'packs:27': ['50'], 'packs:28': ['50'] })

  expectGet('products', { 'filter[id]': '[28]', display: '[id,state,type]' }).reply(200, {
    products: [{ id: 28, state: '1', type: 'simple' }]
  })
  expectAll('stock_availables', { 'filter[id_product]': '[28]', display: 'full' }).reply(200, {
    stock_availables: [stockRow(28, 0, '3')]
  })
  expectAll('combinations', { 'filter[id_product]': '[28]', display: '[id,id_product]' }).reply(200, [])
  expectPack(packRow('1'), { plates: '3' })
  const job = { id: 'job-1', type: 'shopa.inventory.syncByExternalId', payload: { externalId: '28' } }

  t.match(await syncInventory.run(client, job, context), {
    stock: [
      { productExternalId: '28', variantExternalId: 'product:28', quantity: 3 },
      { productExternalId: '50', variantExternalId: 'product:50', quantity: 3 }
    ]
  })
})

t.test('a change of a part forgets a pack that does not contain it any more', async t => {
  const { client, context } = connect()
  expectPack(packRow('1'))
  await createInventoryMaster(client, context).getStock('50')
  t.match(kv(), { 'packs:27': ['50'], 'packs:28': ['50'] })

  expectGet('products', { 'filter[id]': '[28]', display: '[id,state,type]' }).reply(200, {
    products: [{ id: 28, state: '1', type: 'simple' }]
  })
  expectAll('stock_availables', { 'filter[id_product]': '[28]', display: 'full' }).reply(200, {
    stock_availables: [stockRow(28, 0, '3')]
  })
  expectAll('combinations', { 'filter[id_product]': '[28]', display: '[id,id_product]' }).reply(200, [])
  expectPack(packRow('1', [{ ...parts[0] }]), { partIds: ['27'] })
  const job = { id: 'job-1', type: 'shopa.inventory.syncByExternalId', payload: { externalId: '28' } }

  await syncInventory.run(client, job, context)

  t.same([kv()['packs:27'], kv()['packs:28']], [['50'], []])
})

t.test('when a part is in more packs than are read at once, each change reads others', async t => {
  const index = createPackIndex(contextFor())
  for (const pack of ['50', '51', '52']) await index.add(pack, ['30'])

  t.same(await index.takePacksOf('30', 2), ['50', '51'])
  t.same(await index.takePacksOf('30', 2), ['52', '50'])
  t.same(await index.takePacksOf('30', 3), ['51', '52', '50'])
})
