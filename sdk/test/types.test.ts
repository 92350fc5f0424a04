import {
  defineAdapter,
  defineJob,
  HubJobType,
  type Context,
  type HttpClient,
  type InventoryMaster,
  type OfferManager,
  type OfferPatch,
  type Product,
  type ProductMaster,
  type ScheduleDefinition,
  type StockLevel
} from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'

// The types that adapter authors meet. `tsc` checks this file: it reports an error that is missing
// as well as one that nobody expects.

/** Whether two types are the same, also in `any` and in optional members. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends (<T>() => T extends Other ? 1 : 2) ? true : false

const yes = <Claim extends true>(claim: Claim): boolean => claim

const settings = { config: Type.Object({ baseUrl: Type.String() }), credentials: Type.Object({ key: Type.String() }) }
type Settings = Context<{ baseUrl: string }, { key: string }>

const products: ProductMaster = {
  getProduct: async externalId => ({ externalId, name: 'Lamp', isActive: true, variants: [{ externalId }] }),
  listProducts: async () => ({ items: [] })
}

t.test('the parts of a definition are typed by its schemas and its client', async t => {
  const adapter = defineAdapter({
    ...settings,
    connect ({ config, credentials }) {
      yes<Same<typeof config, { baseUrl: string }>>(true)
      yes<Same<typeof credentials, { key: string }>>(true)
      // @ts-expect-error The config has no such member.
      return { address: config.baseUrl, language: config.language }
    },
    test: async ({ address }, { config }) => ({ message: address + config.baseUrl }),
    account: async ({ address }, { config }) => ({ id: address, name: config.baseUrl }),
    capabilities: {
      ProductMaster: client => {
        yes<Same<typeof client.address, string>>(true)
        return products
      }
    },
    checkConfig: ({ baseUrl }) => baseUrl === '' ? [{ pointer: '/baseUrl', code: 'empty', message: 'is empty' }] : []
  })

  yes<Same<keyof typeof adapter.capabilities, 'ProductMaster'>>(true)
  t.match(describeAdapter(adapter), { hasTest: true, hasAccount: true })
})

t.test('a misspelt capability, one that lacks a method, and a wrong answer are errors of the types', async t => {
  const rest = {
    ...settings,
    connect: ({ http }: Settings): HttpClient => http({ baseUrl: '' }),
    account: async () => ({ id: '1', name: 'Test' })
  }

  // @ts-expect-error The capability is called ProductMaster.
  const misspelt = defineAdapter({ ...rest, capabilities: { ProdutMaster: () => products } })
  t.throws(() => describeAdapter(misspelt), { message: /ProdutMaster/ })
  // @ts-expect-error It lacks listProducts.
  const short = defineAdapter({ ...rest, capabilities: { ProductMaster: () => ({ getProduct: products.getProduct }) } })
  t.throws(() => describeAdapter(short), { message: /listProducts/ })
  // @ts-expect-error It does not tell its account.
  const anonymous = defineAdapter({ ...settings, connect: rest.connect, capabilities: {} })
  t.match(describeAdapter(anonymous), { hasAccount: false }, 'an adapter of an earlier contract still loads')
  const wrong: InventoryMaster = {
    // @ts-expect-error The quantity is a number.
    getStock: async () => [{ productExternalId: '1', variantExternalId: '1', quantity: '4' }],
    listStock: async () => ({ items: [] })
  }
  t.ok(describeAdapter(defineAdapter({ ...rest, capabilities: { InventoryMaster: () => wrong } })))
  t.ok(describeAdapter(defineAdapter({ ...rest, capabilities: { 'acme/Labels': () => ({ print: () => 'ok' }) } })))
})

t.test('the payload of a job has the type of its schema, and its outcome has no other members', async t => {
  const job = defineJob({
    payload: Type.Object({ externalId: Type.String(), pieces: Type.Optional(Type.Integer()) }),
    async run (_client: HttpClient, { payload }, { config }: Settings) {
      yes<Same<typeof payload, { externalId: string, pieces?: number }>>(true)
      const stock: StockLevel[] = [{
        productExternalId: payload.externalId,
        variantExternalId: config.baseUrl,
        quantity: payload.pieces ?? 0
      }]
      return { stock, result: 'any data' }
    }
  })

  t.equal(job.payload.type, 'object')
  const wrong = defineJob({
    payload: Type.Object({}),
    // @ts-expect-error A level without its quantity is no stock: unknown is never zero.
    run: async () => ({ stock: [{ productExternalId: '1', variantExternalId: '1' }] })
  })
  t.type(wrong.run, 'function')
})

t.test('a schedule takes a job of the hub by its constant, whose type is its text', async t => {
  const schedule: ScheduleDefinition = { name: 'feed-orders', every: '2m', job: HubJobType.pollOrders }

  yes<Same<typeof HubJobType.pollOrders, 'marketplace.orders.poll'>>(true)
  t.equal(schedule.job, 'marketplace.orders.poll')
})

t.test('the data of the hub is typed by its schemas', async t => {
  yes<Same<Parameters<OfferManager['updateOffer']>, [externalId: string, patch: OfferPatch]>>(true)
  yes<Same<Awaited<ReturnType<ProductMaster['getProduct']>>, Product>>(true)
  yes<Same<undefined extends InventoryMaster['setStock'] ? true : false, true>>(true)
  yes<Same<undefined extends InventoryMaster['getStock'] ? true : false, false>>(true)
  // @ts-expect-error Money is a text, never a number.
  const patch: OfferPatch = { price: { amount: 119.99, currency: 'PLN' } }

  t.ok(patch)
})

t.test('a context cannot be changed', async t => {
  const change = ({ config, connection }: Settings): void => {
    // @ts-expect-error It is read-only.
    connection.id = 'other'
    yes<Same<typeof config.baseUrl, string>>(true)
  }

  const connection = Object.freeze({ id: '1', platformType: 'feed' })
  t.throws(() => {
    change({ config: { baseUrl: '' }, connection } as Partial<Settings> as Settings)
  }, TypeError)
})
