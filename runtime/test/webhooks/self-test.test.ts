import { verifyWebhook, type HttpClientOptions, type HttpRequest, type HttpResponse } from '@linker/sdk'
import { createHmac } from 'node:crypto'
import t from 'tap'
import { jobIdOf } from '../../src/jobs/identity.ts'
import { eventKey } from '../../src/streams/port.ts'
import { proveDelivery } from '../../src/webhooks/prove-delivery.ts'
import { pingSelf, type SelfTest } from '../../src/webhooks/self-test.ts'

const connection = { id: '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10', platformType: 'feed' }
const test: SelfTest = {
  connection: { ...connection, webhookScheme: 'hmac', webhookRules: null },
  callbackUrl: `https://hub.example/webhooks/feed/${connection.id}`,
  secret: 'the-secret',
  now: new Date('2026-01-31T12:00:00.000Z')
}

interface Sent extends HttpClientOptions {
  request: HttpRequest
}

/** Sends a self-test to a server that gives `answer`. */
async function ping (answer: (request: HttpRequest) => Partial<HttpResponse>, given: SelfTest = test) {
  const sent: Sent[] = []
  const seen = await pingSelf(options => ({
    async request (request) {
      sent.push({ ...options, request })
      return { status: 202, headers: {}, body: '', ...answer(request) }
    },
    json: () => Promise.reject(new Error('the answer is not read')),
    get: () => Promise.reject(new Error('the self-test posts'))
  }), given)
  return { seen, sent: sent[0], count: sent.length }
}

/** The answer of this hub, which knows the id of the delivery. */
function ownAnswer ({ body }: HttpRequest): Partial<HttpResponse> {
  const { eventId } = JSON.parse(String(body)) as { eventId: string }
  const key = eventKey({ provider: connection.platformType, connectionId: connection.id, eventId })
  return { headers: { 'x-linker-delivery-id': jobIdOf(key) } }
}

t.test('a delivery that this hub answers has arrived', async t => {
  const { seen, sent, count } = await ping(ownAnswer)
  const { request, ...options } = sent ?? { request: undefined }

  t.equal(seen, undefined)
  t.equal(count, 1)
  t.match(options, { baseUrl: test.callbackUrl, retries: 0 })
  t.match(JSON.parse(String(request?.body)), {
    schemaVersion: 1,
    eventType: 'test.ping',
    occurredAt: '2026-01-31T12:00:00.000Z',
    object: { type: 'connection', externalId: connection.id }
  })
})

t.test('the delivery proves itself as the platform would: by a signature or by a token', async t => {
  const { sent: signed } = await ping(ownAnswer)
  const { 'x-linker-timestamp': timestamp = '', 'x-linker-signature': signature = '' } = signed?.headers ?? {}
  const { sent: bearer } = await ping(ownAnswer, {
    ...test,
    connection: { ...test.connection, webhookScheme: 'bearer' }
  })

  t.equal(timestamp, String(test.now.getTime()))
  t.ok(verifyWebhook('the-secret', timestamp, String(signed?.request.body), signature))
  t.strictSame(bearer?.headers, { authorization: 'Bearer the-secret' })
})

t.test('a platform that signs the host signs the one to which the delivery goes', async t => {
  const verify = {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { header: 'x-signature' },
    signed: [{ header: 'content-type' }, { header: 'host' }, 'body']
  } as const
  const given = { ...test, connection: { ...test.connection, webhookRules: { verify } } }
  const sign = (host: string, body: unknown) =>
    createHmac('sha256', test.secret).update(`application/json${host}${String(body)}`).digest('hex')
  const { sent } = await ping(ownAnswer, given)
  const unproved = { ...test, body: '{}', host: '127.0.0.1:3000' }

  t.strictSame(sent?.headers, { 'x-signature': sign('hub.example', sent?.request.body) })
  t.strictSame(proveDelivery({ scheme: 'hmac', verify }, unproved).headers, {
    'x-signature': sign('127.0.0.1:3000', '{}')
  })
})

t.test('the answer that the adapter declares for its platform counts as well', async t => {
  t.equal((await ping(request => ({ ...ownAnswer(request), status: 200, body: 'OK' }))).seen, undefined)
  t.match((await ping(() => ({ status: 200, body: 'OK' }))).seen, /200, but the answer is not that of this hub/)
})

t.test('a delivery that only a function of the adapter could prove is not sent', async t => {
  const verify = { kind: 'function' } as const
  const { seen, count } = await ping(ownAnswer, {
    ...test,
    connection: { ...test.connection, webhookRules: { verify } }
  })

  t.match(seen, /^the hub sent no test: a function of the adapter verifies/)
  t.equal(count, 0)
})

t.test('another hub at that address accepts the delivery and is told apart by its id', async t => {
  t.match((await ping(() => ({ headers: { 'x-linker-delivery-id': 'another' } }))).seen, /202.* not that of this hub/)
  t.match((await ping(() => ({}))).seen, /202/)
})

for (const status of [301, 401, 404, 502]) {
  t.test(`the answer ${status} is what the hub saw`, async t => {
    const { seen, sent } = await ping(() => ({ status }))

    t.match(seen, String(status))
    t.ok(sent?.request.accept?.includes(status), 'the client does not take it for a failure')
  })
}

t.test('a hub that does not reach its own address says why', async t => {
  const failing = () => {
    throw new Error('connect ECONNREFUSED 10.0.0.1:443')
  }

  t.match((await ping(failing)).seen, 'connect ECONNREFUSED 10.0.0.1:443')
})
