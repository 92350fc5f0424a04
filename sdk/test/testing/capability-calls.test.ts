import {
  carrierCapability,
  defineAdapter,
  defineJob,
  NotFoundError,
  type Carrier,
  type InventoryMaster,
  type JobOutcome,
  type Product,
  type ProductMaster,
  type StockLevel
} from '@linker/sdk'
import { createTestHost } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const lamp: Product = { externalId: '27', name: 'Lamp', isActive: true, variants: [{ externalId: '27' }] }
const level: StockLevel = { productExternalId: '27', variantExternalId: '27', quantity: 4 }

interface Client {
  stock: StockLevel[]
}

const adapter = defineAdapter({
  config: Type.Object({}),
  credentials: Type.Object({}),
  connect: (): Client => ({ stock: [level] }),
  test: async () => ({ message: 'the key is valid' }),
  account: async () => ({ id: '1', name: 'Test' }),
  capabilities: {
    ProductMaster: (): ProductMaster => ({
      async getProduct (externalId) {
        if (externalId !== lamp.externalId) throw new NotFoundError(`no product ${externalId}`)
        return lamp
      },
      listProducts: async () => ({ items: [lamp] })
    }),
    InventoryMaster: ({ stock }: Client) => ({
      getStock: async () => stock,
      listStock: async () => ({ items: stock }),
      async setStock (changed) {
        stock.splice(0, stock.length, changed)
      }
    } satisfies InventoryMaster),
    [carrierCapability]: (): Pick<Carrier, 'cancelShipment'> => ({ cancelShipment: async () => undefined }),
    'acme/Labels': () => ({ countOf: (name: string) => name.length })
  },
  jobs: {
    'feed.stock.refresh': defineJob({
      payload: Type.Object({ externalId: Type.String() }),
      run: async ({ stock }: Client, { payload }) => ({ stock, result: { read: payload.externalId } })
    })
  }
})

const manifest = {
  adapterKey: 'feed.api.v1',
  platformType: 'feed',
  displayName: 'Feed',
  capabilities: ['ProductMaster', 'InventoryMaster', carrierCapability, 'acme/Labels'],
  permissions: { jobs: ['feed.*'] }
}

async function open () {
  return createTestHost().open({ manifest, definition: adapter, config: {}, credentials: {} })
}

t.test('the capabilities of an adapter are members of an opened connection, typed by their interfaces', async t => {
  const shop = await open()

  const product: Product = await shop.ProductMaster.getProduct('27')
  t.strictSame(product, lamp)
  t.not(product, lamp, 'the hub gets a copy')
  const { items }: { items: Product[] } = await shop.ProductMaster.listProducts({ limit: 1 })
  t.strictSame(items, [lamp])
  await shop.InventoryMaster.setStock({ ...level, quantity: 9 })
  t.strictSame(await shop.InventoryMaster.getStock('27'), [{ ...level, quantity: 9 }])
  await t.rejects(shop.ProductMaster.getProduct('28'), { code: 'LNK_ADAPTER_NOT_FOUND' })
})

t.test('a capability of a vendor is typed by the code of the adapter, and answers a promise', async t => {
  const shop = await open()

  const count: Promise<number> = shop['acme/Labels'].countOf('lamp')
  t.equal(await count, 4)
  t.equal(await shop[carrierCapability].cancelShipment('1'), undefined)
})

t.test('jobs are typed by their payloads, and the connection test has a method', async t => {
  const shop = await open()

  const outcome: JobOutcome | undefined = await shop.run('feed.stock.refresh', { externalId: '27' })
  t.strictSame(outcome, { stock: [level], result: { read: '27' } })
  t.strictSame(await shop.test(), { message: 'the key is valid' })
})

t.test('a call that the adapter does not serve is an error of the types, and one that names it', async t => {
  const shop = await open()

  // @ts-expect-error The adapter has no such capability.
  t.throws(() => shop.OfferManager, {
    name: 'TypeError',
    message: 'feed.api.v1 has no capability OfferManager; it has ProductMaster, InventoryMaster, linker/Carrier, ' +
      'acme/Labels'
  })
  // @ts-expect-error Nor such a capability of a vendor.
  t.throws(() => shop['acme/Weather'], { message: /no capability acme\/Weather/ })
  // @ts-expect-error The optional method is absent.
  await t.rejects(shop.InventoryMaster.getStockMany(['27']), {
    code: 'LNK_ADAPTER_CONFIGURATION',
    message: 'feed.api.v1 has no InventoryMaster.getStockMany'
  })
  // @ts-expect-error The job has another name.
  await t.rejects(shop.run('feed.stock.read', { externalId: '27' }), { message: /no job 'feed\.stock\.read'/ })
  await t.rejects(shop.run('feed.stock.refresh', {}), { message: /externalId/ })
  // @ts-expect-error An id is a text.
  await t.rejects(shop.ProductMaster.getProduct(27), { code: 'LNK_ADAPTER_NOT_FOUND' })
})

t.test('an opened connection is no promise, and shows no members of its own to tools', async t => {
  const shop = await open()

  t.equal(await Promise.resolve(shop), shop)
  t.equal(await Promise.resolve(shop.ProductMaster), shop.ProductMaster)
  t.equal(JSON.parse(JSON.stringify({ id: shop.id })).id, 'connection-1')
})
