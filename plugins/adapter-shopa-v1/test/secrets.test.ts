import { createTestHost } from '@linker/sdk/testing'
import nock from 'nock'
import t from 'tap'
import packageJson from '../package.json' with { type: 'json' }
import adapter from '../src/index.ts'

const canary = 'CANARY0123456789CANARY0123456789'
const basic = btoa(`${canary}:`)
const echo = `key ${canary}, header Basic ${basic}`
const secret = new RegExp(`${canary}|${basic}`)

const call = (capability: string, method: string, ...args: unknown[]) => ({
  target: { kind: 'capability', capability, method } as const,
  args
})
const calls = [
  call('ProductMaster', 'getProduct', '27'),
  call('ProductMaster', 'listProducts', { limit: 10 }),
  call('InventoryMaster', 'getStock', '27'),
  call('InventoryMaster', 'getStockMany', ['27']),
  call('InventoryMaster', 'listStock', { limit: 10 }),
  call('InventoryMaster', 'setStock', { productExternalId: '27', variantExternalId: '101', quantity: 1 }),
  call('OrderProcessorManager', 'getOrder', '27'),
  call('OrderProcessorManager', 'listOrders', { limit: 10 }),
  {
    target: { kind: 'installWebhooks' } as const,
    args: [{ callbackUrl: 'https://hub.test/webhooks/shopa/connection-1', secret: canary }]
  },
  { target: { kind: 'test' } as const, args: [] },
  { target: { kind: 'account' } as const, args: [] }
]

t.before(() => {
  nock.disableNetConnect()
})
t.teardown(() => {
  nock.cleanAll()
  nock.enableNetConnect()
})

async function open () {
  const host = createTestHost()
  t.teardown(() => host.close())
  const connection = await host.open({
    manifest: packageJson.linker,
    definition: adapter,
    config: { prices: { country: 'PL', currency: 'PLN' } },
    credentials: { apiUrl: 'https://shop.test', apiKey: canary }
  })
  return { host, connection }
}

function everything (error: unknown): string {
  const { message, stack, fields, cause } = error as Error & { fields?: unknown }
  return JSON.stringify([message, stack, fields, cause === undefined ? '' : everything(cause)])
}

t.test('a key that the shop quotes in its errors reaches no log, error or trace', async t => {
  const { host, connection } = await open()
  const answers: [number, string][] = [
    [401, JSON.stringify({ errors: [{ code: 18, message: echo }] })],
    [400, JSON.stringify({ errors: [{ code: 32, message: echo }] })],
    [405, JSON.stringify({ errors: [{ code: 25, message: echo }] })],
    [500, JSON.stringify({ errors: [{ code: 84, message: echo }] })],
    [500, JSON.stringify({ errors: [{ code: 2, message: echo }] })],
    [500, JSON.stringify({ message: echo })],
    [200, `<html>${echo}</html>`],
    [404, `<shopa><errors><error><code>87</code><message><![CDATA[${echo}]]></message></error></errors></shopa>`]
  ]

  for (const [status, body] of answers) {
    nock('https://shop.test').persist().get(/^\/api\//).reply(status, body, { 'content-type': 'application/json' })
    for (const { target, args } of calls) {
      const error: unknown = await connection.call(target, args).then(() => undefined, (reason: unknown) => reason)
      t.notMatch(everything(error ?? new Error('')), secret, `${JSON.stringify(target)} on ${status}`)
    }
    nock.cleanAll()
  }
  t.ok(host.requests.length > answers.length)
  t.notMatch(JSON.stringify([host.logs, host.requests, host.values]), secret)
})

t.test('a key in the data of the shop reaches no log', async t => {
  const { host, connection } = await open()
  const row = {
    id: 27,
    id_product: 27,
    id_product_attribute: 0,
    quantity: canary,
    reference: echo,
    name: echo,
    price: '1',
    id_tax_rules_group: canary
  }
  nock('https://shop.test').persist().get(/^\/api\//).reply(200, { rows: [row] })

  for (const { target, args } of calls) await connection.call(target, args).catch(() => undefined)
  t.ok(host.logs.length > 0)
  t.notMatch(JSON.stringify(host.logs), secret)
})
