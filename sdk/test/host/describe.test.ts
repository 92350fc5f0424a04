import { defineAdapter, NotFoundError, type WebhookBodyForm, type RequestBudget } from '@linker/sdk'
import { compileSchema, describeAdapter, type WebhooksDescription } from '@linker/sdk/host'
import { Type, type TObject } from '@sinclair/typebox'
import t from 'tap'

const form: WebhookBodyForm = {
  eventType: 'order.changed',
  objectType: 'order',
  externalId: '/id',
  occurredAt: ['/updated', '/a~1b']
}

function describeWebhooks (webhooks: NonNullable<Parameters<typeof defineAdapter>[0]['webhooks']>):
  | WebhooksDescription
  | undefined
{
  return describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    webhooks
  })).webhooks
}

t.test('the description of foreign bodies is a copy of the declared form', async t => {
  const declared = structuredClone(form)
  const described = describeWebhooks({ scheme: 'bearer', body: declared })
  declared.externalId = '/other'

  t.strictSame(described, {
    scheme: 'bearer',
    verify: undefined,
    events: undefined,
    windowMs: undefined,
    body: form,
    source: undefined,
    challenges: undefined,
    accepted: undefined,
    canInstall: false
  })
  t.match(describeWebhooks({ scheme: 'bearer', install: async () => undefined }), { canInstall: true, body: undefined })
})

t.test('a connection with installable webhooks may name the public address of the hub, declared or not', async t => {
  const describe = (config: TObject, install = true) =>
    describeAdapter(defineAdapter({
      config,
      credentials: Type.Null(),
      connect: () => undefined,
      account: async () => ({ id: '1', name: 'Test' }),
      capabilities: {},
      webhooks: { scheme: 'bearer', ...install ? { install: async () => undefined } : {} }
    })).config
  const own = Type.Object({ callbackBaseUrl: Type.String({ pattern: '^https:' }) })

  const check = compileSchema(describe(Type.Object({ own: Type.Optional(Type.String()) })))
  t.strictSame(check({ callbackBaseUrl: 'https://hub.example/linker' }), { problems: [], unknown: [] })
  t.strictSame(check({ callbackBaseUrl: '' }), { problems: [], unknown: [] })
  t.match(check({ callbackBaseUrl: 'hub.example' }), { problems: [{ pointer: '/callbackBaseUrl', code: 'pattern' }] })
  t.match(describe(own), { properties: { callbackBaseUrl: { pattern: '^https:' } } }, 'its own is stricter')
  t.match(compileSchema(describe(Type.Object({}), false))({ callbackBaseUrl: '' }), {
    unknown: [{ pointer: '/callbackBaseUrl' }]
  })
})

t.test('only a marketplace that accepts cancellations has a setting for those of the shop', async t => {
  const order = async (): Promise<never> => {
    throw new NotFoundError('no such order')
  }
  const nothing = async (): Promise<undefined> => undefined
  const none = async (): Promise<[]> => []
  const inbox = { getOrder: order, listUnread: none, acknowledge: async () => {} }
  type Factories = Parameters<typeof defineAdapter>[0]['capabilities']
  const describe = (capabilities: Factories) =>
    describeAdapter(defineAdapter({
      config: Type.Object({}),
      credentials: Type.Null(),
      connect: () => undefined,
      account: async () => ({ id: '1', name: 'Test' }),
      capabilities
    })).config
  const has = (capabilities: Factories): boolean => {
    return compileSchema(describe(capabilities))({ cancelOrdersWithShop: true }).unknown.length === 0
  }

  t.ok(has({ OrderSource: () => ({ ...inbox, updateOrderStatus: nothing }) }))
  const told = () => ({ getOrder: order, updateOrderStatus: nothing })
  t.ok(has({ OrderSource: () => inbox, OrderProcessorManager: told }))
  t.notOk(has({ OrderSource: () => inbox, OrderProcessorManager: () => ({ getOrder: order }) }))
  t.notOk(has({ OrderProcessorManager: told }), 'a shop')
  const check = compileSchema(describe({ OrderSource: () => ({ ...inbox, updateOrderStatus: nothing }) }))
  t.match(check({ cancelOrdersWithShop: 'yes' }), { problems: [{ pointer: '/cancelOrdersWithShop', code: 'type' }] })
})

t.test('the description says which capabilities a job serves, when the job says it', async t => {
  const job = { payload: Type.Object({}), run: async () => ({}) }
  const { jobCapabilities } = describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    jobs: { 'feed.any': job, 'feed.stock': { ...job, capabilities: ['InventoryMaster'] } }
  }))

  t.strictSame(jobCapabilities, { 'feed.stock': ['InventoryMaster'] })
})

t.test('the description says whether lines keep their ids, as declared', async t => {
  const describe = (orders?: { keepsLineIds?: boolean }) =>
    describeAdapter(defineAdapter({
      config: Type.Object({}),
      credentials: Type.Null(),
      connect: () => undefined,
      account: async () => ({ id: '1', name: 'Test' }),
      capabilities: {},
      ...orders === undefined ? {} : { orders }
    })).orders

  t.equal(describe(), undefined)
  t.strictSame(describe({}), { keepsLineIds: false })
  t.strictSame(describe({ keepsLineIds: true }), { keepsLineIds: true })
})

t.test('a form that cannot read any body is refused', async t => {
  const refused = (change: Partial<WebhookBodyForm>): void => {
    t.throws(() => describeWebhooks({ scheme: 'bearer', body: { ...form, ...change } }), {
      code: 'LNK_ADAPTER_SHAPE_INVALID',
      message: /webhooks\.body/
    }, JSON.stringify(change))
  }

  for (const externalId of ['', 'id', '/a~2']) refused({ externalId })
  for (const eventType of ['order', 'Order.changed', 'order.', 'order-changed.x']) refused({ eventType })
  refused({ objectType: '' })
  refused({ occurredAt: ['updated'] })
})

t.test('the description has the budget as declared, and a budget that no hub can keep is refused', async t => {
  const describe = (budget?: unknown) =>
    describeAdapter(defineAdapter({
      config: Type.Object({}),
      credentials: Type.Null(),
      connect: () => undefined,
      account: async () => ({ id: '1', name: 'Test' }),
      capabilities: {},
      budget: budget as RequestBudget
    })).budget

  t.equal(describe(), undefined)
  t.strictSame(describe({ ratePerSecond: 0.5, burst: 1 }), { ratePerSecond: 0.5, burst: 1 })
  for (const ratePerSecond of [0, -1, Number.NaN, Infinity, '5', 10_001]) {
    t.throws(() => describe({ ratePerSecond, burst: 1 }), {
      message: 'its budget.ratePerSecond is not a number from 0.001 to 10000'
    })
  }
  for (const burst of [0, 1.5, undefined, 10_001]) {
    t.throws(() => describe({ ratePerSecond: 1, burst }), {
      message: 'its budget.burst is not a whole number from 1 to 10000'
    })
  }
  t.throws(() => describe({ ratePerSecond: 1, burst: 1, concurrency: 4 }), { message: /unknown member 'concurrency'/ })
})
