import { createTestHost } from '@linker/sdk/testing'
import nock from 'nock'
import t from 'tap'
import packageJson from '../package.json' with { type: 'json' }
import adapter from '../src/index.ts'
import { identityKey } from '../src/oauth/identity.ts'

const canary = 'CANARY-0123456789-canary'
const tokens = {
  accessToken: `access-${canary}`,
  refreshToken: `refresh-${canary}`,
  expiresAt: '2025-01-03T00:00:00.000Z'
}
const clientSecret = `client-${canary}`
const basic = btoa(`client-1:${clientSecret}`)
/** Each host quotes the request in its answers. */
const echo = `${'x'.repeat(270)} header Bearer ${tokens.accessToken}`
const tokenEcho = `${'x'.repeat(270)} ${tokens.refreshToken}, header Basic ${basic}, ${clientSecret}`
const secret = new RegExp(`${canary}|${basic}`)

const capability = (name: string, method: string, ...args: unknown[]) => ({
  target: { kind: 'capability', capability: name, method } as const,
  args
})
const calls = [
  capability('Marketplace', 'listOffers', { limit: 10 }),
  capability('Marketplace', 'getOffer', '1'),
  capability('Marketplace', 'updateOffer', '1', { title: 'Mug blue 300 ml' }),
  capability('Marketplace', 'endOffer', '1'),
  capability('Marketplace', 'updateOfferQuantities', [
    { externalId: '1', quantity: 1, commandId: 'a' },
    { externalId: '2', quantity: 0, commandId: 'b' }
  ]),
  capability('Marketplace', 'listOrderEvents', { limit: 10, cursor: '0' }),
  capability('Marketplace', 'getOrder', '1'),
  capability('Marketplace', 'listOrders', { limit: 10 }),
  capability('Marketplace', 'listDeliveryMethods'),
  capability('OrderProcessorManager', 'updateOrderStatus', '1', 'shipped'),
  capability('OrderProcessorManager', 'addTracking', '1', { carrier: 'DPD', number: '1' }),
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
  const host = createTestHost({ now: new Date('2025-01-02T12:00:00Z') })
  t.teardown(() => host.close())
  const platform = {
    sandbox: {
      webBaseUrl: 'https://sandbox.test',
      restBaseUrl: 'https://api.sandbox.test',
      clients: { 'client-1': clientSecret }
    }
  }
  const connection = await host.open({
    manifest: packageJson.linker,
    definition: adapter,
    config: { environment: 'sandbox' },
    credentials: tokens,
    platform
  })
  await connection.context.kv.set(identityKey, { account: { id: '1', login: 'seller' }, clientId: 'client-1' })
  return { host, connection }
}

function everything (error: unknown): string {
  const { message, stack, fields, cause } = error as Error & { fields?: unknown }
  return JSON.stringify([message, stack, fields, cause === undefined ? '' : everything(cause)])
}

t.test('tokens and secrets that the marketplace quotes reach no log, error, record or trace', async t => {
  const { host, connection } = await open()
  const failures = { errors: [{ code: 'Echo', message: echo, userMessage: echo, path: 'name' }] }
  const oauth = { error: 'invalid_grant', error_description: tokenEcho }
  const answers: [number, unknown][] = [
    [400, failures],
    [422, failures],
    [401, { error: 'invalid_token', error_description: echo }],
    [403, failures],
    [404, failures],
    [409, failures],
    [500, failures],
    [200, `<html>${echo}</html>`]
  ]

  for (const [status, body] of answers) {
    const restHost = nock('https://api.sandbox.test').persist()
    for (const method of ['get', 'put', 'patch', 'post'] as const) restHost[method](/./).reply(status, body as object)
    nock('https://sandbox.test').persist().post(/./).reply(400, oauth)
    for (const { target, args } of calls) {
      const error: unknown = await connection.call(target, args).then(() => undefined, (reason: unknown) => reason)
      t.notMatch(everything(error ?? new Error('')), secret, `${JSON.stringify(target)} on ${status}`)
    }
    nock.cleanAll()
  }
  t.ok(host.requests.length > answers.length)
  t.notMatch(JSON.stringify([host.logs, host.requests, host.values, host.jobs, host.cursors]), secret)
})
