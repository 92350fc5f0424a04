import type { WebhookDelivery } from '@linker/sdk'
import type { DescribedVerification } from '@linker/sdk/host'
import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { WebhookProofUnavailableError } from '../../src/errors.ts'
import { buildGateApp, connection, event, startMs, storedSecret, type GateApp, type GateAppOptions } from './support.ts'

const feedId = '6a1f0c3e-2b7d-4c58-9e10-7f4b2d8c5a91'
const body = JSON.stringify(event)
const address = `/webhooks/feed/${feedId}`

const hmac: DescribedVerification & { kind: 'hmac' } = {
  kind: 'hmac',
  algorithm: 'sha256',
  encoding: 'base64',
  signature: { header: 'X-Feed-Signature' },
  timestamp: { header: 'X-Feed-Time', unit: 's' },
  signed: ['timestamp', { text: '.' }, 'url', { text: '.' }, 'body']
}

interface FeedOptions {
  level?: string
  secret?: string
  callbackBaseUrl?: string | null
  isGenuine?: GateAppOptions['isGenuine']
}

/** A server with a connection whose platform proves its deliveries in its own way. */
async function buildFeed (
  t: Test,
  verify: DescribedVerification,
  { level = 'info', secret = 'feed-secret', callbackBaseUrl = 'https://hub.example/', isGenuine }: FeedOptions = {}
) {
  const hub = await buildGateApp(t, { variables: {}, level, isGenuine })
  hub.rows.connections.set(
    feedId,
    connection(feedId, {
      platformType: 'feed',
      webhookRules: { verify },
      callbackBaseUrl,
      webhookSecrets: [storedSecret(secret)]
    })
  )
  await hub.streams.setEpoch(feedId, 1)
  return hub
}

const time = String(startMs / 1_000)

function sign (secret = 'feed-secret', at = time, sent = body, query = ''): string {
  return createHmac('sha256', secret).update(`${at}.https://hub.example${address}${query}.${sent}`).digest('base64')
}

async function deliver ({ app }: GateApp, headers: Record<string, string | undefined>, query = '', path = address) {
  const given = Object.entries({ 'content-type': 'application/json', ...headers }).filter((header): header is [
    string,
    string
  ] => header[1] !== undefined)
  const answer = await app.inject({
    method: 'POST',
    url: `${path}${query}`,
    headers: Object.fromEntries(given),
    payload: body
  })
  const said = answer.payload === '' ? {} : answer.json<object>()
  return { ...said, status: answer.statusCode, headers: answer.headers }
}

const good = { 'x-feed-time': time, 'x-feed-signature': sign() }

t.test('a delivery that the platform signs in its own way stands in the stream', async t => {
  const feed = await buildFeed(t, hmac)

  t.match(await deliver(feed, good), { status: 202 })
  const query = '?shop=7'
  const signed = { ...good, 'x-feed-signature': sign('feed-secret', time, body, query) }
  t.match(await deliver(feed, signed, query), { status: 202, headers: { 'x-linker-duplicate': 'true' } })
  t.equal(feed.streams.entries.length, 1)
})

t.test('the signatures of the hub itself open nothing there', async t => {
  const feed = await buildFeed(t, hmac)
  const at = String(startMs)
  const own = `sha256=${createHmac('sha256', 'feed-secret').update(`${at}.${body}`).digest('hex')}`

  t.match(await deliver(feed, { 'x-linker-timestamp': at, 'x-linker-signature': own }), {
    status: 400,
    code: 'LNK_WEBHOOK_HEADER_MISSING',
    detail: 'Header X-Feed-Signature is missing or empty'
  })
  t.match(await deliver(feed, { authorization: 'Bearer feed-secret' }), { status: 400 })
})

t.test('each refusal has the code of its fault, names the part and leaves nothing behind', async t => {
  const feed = await buildFeed(t, hmac)
  const old = String(startMs / 1_000 - 301)
  const refusals: [Record<string, string | undefined>, object][] = [
    [
      { ...good, 'x-feed-time': undefined },
      { status: 400, code: 'LNK_WEBHOOK_HEADER_MISSING', detail: /X-Feed-Time is missing/ }
    ],
    [
      { ...good, 'x-feed-time': String(startMs) },
      { status: 400, code: 'LNK_WEBHOOK_MALFORMED', detail: /X-Feed-Time must be Unix time in seconds/ }
    ],
    [
      { ...good, 'x-feed-signature': 'ab' },
      { status: 400, code: 'LNK_WEBHOOK_MALFORMED', detail: /X-Feed-Signature must be base64 of 32 bytes/ }
    ],
    [
      { 'x-feed-time': old, 'x-feed-signature': sign('feed-secret', old) },
      { status: 401, code: 'LNK_TIMESTAMP_OUTSIDE_WINDOW', detail: /X-Feed-Time is 301 s behind/ }
    ],
    [
      { ...good, 'x-feed-signature': sign('another') },
      { status: 401, code: 'LNK_SIGNATURE_MISMATCH', detail: /X-Feed-Signature does not match/ }
    ],
    [
      { ...good, 'x-feed-signature': sign('feed-secret', time, `${body} `) },
      { status: 401, code: 'LNK_SIGNATURE_MISMATCH' }
    ]
  ]

  for (const [headers, expected] of refusals) t.match(await deliver(feed, headers), expected)
  t.match(await deliver(feed, good, '?added=1'), { status: 401, code: 'LNK_SIGNATURE_MISMATCH' })
  t.strictSame([feed.streams.entries.length, feed.streams.markers.size], [0, 0])
  t.match(await deliver(feed, { ...good, 'x-feed-signature': 'ab' }, '', `${address}/test`), {
    ok: false,
    check: 'authentication',
    code: 'LNK_WEBHOOK_MALFORMED'
  })
})

t.test('a header that comes twice is refused, although Node would join or drop one', async t => {
  const feed = await buildFeed(t, { kind: 'bearer', header: 'Authorization', word: 'Bearer' })
  await feed.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = feed.app.server.address() as AddressInfo
  const send = (authorization: string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ port, path: address, method: 'POST' }, answer => {
        answer.resume().on('end', () => {
          resolve(answer.statusCode)
        })
      })
      sent.on('error', reject)
      sent.setHeader('content-type', 'application/json')
      sent.setHeader('authorization', authorization)
      sent.end(body)
    })

  t.equal(await send(['Bearer feed-secret', 'Bearer another']), 400)
  t.equal(await send(['Bearer feed-secret']), 202)
})

t.test('a token in the query is in no log and in no answer', async t => {
  const secret = 'query-canary-9f27'
  const feed = await buildFeed(t, { kind: 'query', parameter: 'token' }, { level: 'trace', secret })
  const answers = [
    await deliver(feed, {}, `?token=${secret}`),
    await deliver(feed, {}, `?token=${secret}x`),
    await deliver(feed, {}, `?token=${secret}&token=${secret}`),
    await deliver(feed, {}, `?token=${secret}`, `${address}/nowhere`),
    await deliver(feed, {}, `?token=${secret}x`, `${address}/test`),
    await deliver(feed, {})
  ]

  t.strictSame(answers.map(({ status }) => status), [202, 401, 400, 404, 200, 401])
  t.ok(feed.log.length > 0)
  t.notMatch(JSON.stringify([answers, feed.log, feed.streams.entries]), secret)
})

for (const callbackBaseUrl of [null, '', 'hub.example', 'https://hub.example/?query']) {
  t.test(`with the address ${JSON.stringify(callbackBaseUrl)} the platform repeats, and learns nothing`, async t => {
    const feed = await buildFeed(t, hmac, { callbackBaseUrl })
    const answer = await deliver(feed, good)

    t.match(answer, { status: 503, code: 'LNK_WEBHOOK_NOT_READY' })
    t.notMatch(JSON.stringify(answer), /callbackBaseUrl|config|secret|address/)
    t.equal(feed.streams.entries.length, 0)
  })
}

t.test('a secret in another form than the platform uses is a fault of the hub that the answer names', async t => {
  const feed = await buildFeed(t, { ...hmac, secret: { encoding: 'hex' } })

  t.match(await deliver(feed, good), {
    status: 401,
    code: 'LNK_WEBHOOK_SECRET_MISSING',
    detail: 'The webhook secret of this connection is not hex'
  })
})

t.test('a function of the adapter judges the bytes, headers, query, method, address and secrets', async t => {
  const judged: WebhookDelivery[] = []
  const feed = await buildFeed(t, { kind: 'function' }, {
    async isGenuine (_connection, delivery) {
      judged.push(delivery)
      return delivery.headers['x-proof'] === 'right'
    }
  })

  t.match(await deliver(feed, { 'x-proof': 'right' }, '?a=1&b=%20'), { status: 202 })
  t.match(judged, [{
    headers: { 'content-type': 'application/json', 'x-proof': 'right' },
    query: 'a=1&b=%20',
    method: 'POST',
    callbackUrl: `https://hub.example${address}`,
    secrets: ['feed-secret']
  }])
  t.equal(String(judged[0]?.rawBody), body)
  t.match(await deliver(feed, { 'x-proof': 'wrong' }), { status: 401, code: 'LNK_SIGNATURE_MISMATCH' })
  t.match(await deliver(feed, { 'x-proof': 'wrong' }, '', `${address}/test`), {
    ok: false,
    check: 'authentication',
    code: 'LNK_SIGNATURE_MISMATCH'
  })
  t.equal(feed.streams.entries.length, 1)
})

t.test('a function without a verdict makes the platform send again', async t => {
  const feed = await buildFeed(t, { kind: 'function' }, {
    async isGenuine () {
      throw new WebhookProofUnavailableError()
    }
  })

  t.match(await deliver(feed, {}), {
    status: 503,
    code: 'LNK_WEBHOOK_PROOF_UNAVAILABLE',
    headers: { 'retry-after': /^\d+$/ }
  })
  t.match(await deliver(feed, {}, '', `${address}/test`), { status: 503 })
  t.equal(feed.streams.entries.length, 0)
})
