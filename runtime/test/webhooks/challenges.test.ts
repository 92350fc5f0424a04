import type { WebhookChallenge, WebhookHmac } from '@linker/sdk'
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { WebhookRules } from '../../src/connections/entity.ts'
import { buildGateApp, connection, disabledId, storedSecret, unknownId } from './support.ts'

const feedId = '6a1f0c3e-2b7d-4c58-9e10-7f4b2d8c5a91'
const verify: WebhookHmac = {
  kind: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  signature: { header: 'X-Signature' },
  signed: ['body']
}

const subscribe: WebhookChallenge = {
  method: 'GET',
  when: [{ query: 'hub.mode', equals: 'subscribe' }],
  token: { at: { query: 'hub.verify_token' }, config: 'verifyToken' },
  answer: { text: { query: 'hub.challenge' } }
}
const urlVerification: WebhookChallenge = {
  method: 'POST',
  when: [{ body: '/type', equals: 'url_verification' }],
  answer: { json: { challenge: { body: '/challenge' } } }
}
const hookSecret: WebhookChallenge = {
  method: 'POST',
  when: [{ header: 'X-Hook-Secret' }],
  isProved: false,
  answer: { headers: { 'X-Hook-Secret': { header: 'X-Hook-Secret' } } }
}
const allowedOrigin: WebhookChallenge = {
  method: 'OPTIONS',
  when: [{ header: 'Webhook-Request-Origin' }],
  answer: {
    status: 204,
    headers: { 'Webhook-Allowed-Origin': { header: 'Webhook-Request-Origin' }, 'Webhook-Allowed-Rate': { text: '*' } }
  }
}
const crc: WebhookChallenge = {
  method: 'GET',
  when: [{ query: 'crc_token' }],
  answer: {
    json: {
      response_token: {
        hmac: { of: { query: 'crc_token' }, algorithm: 'sha256', encoding: 'base64', prefix: 'sha256=' }
      }
    }
  }
}
const formPing: WebhookChallenge = {
  method: 'POST',
  when: [{ body: '/kind', equals: 'ping' }],
  isProved: false,
  answer: { text: { text: 'OK' } }
}
const all = [subscribe, urlVerification, hookSecret, allowedOrigin, crc, formPing]

interface Sent {
  method?: 'GET' | 'POST' | 'OPTIONS' | 'HEAD'
  suffix?: string
  id?: string
  headers?: Record<string, string>
  body?: string
}

interface FeedOptions {
  webhookRules?: WebhookRules
  /** The newest first, as the database gives them. */
  secrets?: readonly string[]
  variables?: Record<string, string>
  verifyToken?: string
}

/** A server with a connection whose platform checks the address of its webhooks. */
async function buildFeed (
  t: Test,
  {
    webhookRules = { verify, challenges: all },
    secrets = ['new', 'old'],
    variables = {},
    verifyToken = 'entered'
  }: FeedOptions = {}
) {
  const hub = await buildGateApp(t, { variables })
  hub.rows.connections.set(
    feedId,
    connection(feedId, {
      platformType: 'feed',
      webhookRules,
      challengeTokens: { verifyToken },
      webhookSecrets: secrets.map(secret => storedSecret(secret))
    })
  )
  await hub.streams.setEpoch(feedId, 1)

  async function send ({ method = 'GET', suffix = '', id = feedId, headers = {}, body }: Sent) {
    const answer = await hub.app.inject({
      method,
      url: `/webhooks/feed/${id}${suffix}`,
      headers: { ...body === undefined ? {} : { 'content-type': 'application/json' }, ...headers },
      payload: body
    })
    return {
      status: answer.statusCode,
      type: answer.headers['content-type'],
      headers: answer.headers,
      body: answer.body,
      code: answer.body.startsWith('{"type"') ? answer.json<{ code: string }>().code : undefined
    }
  }

  return { ...hub, send }
}

const sign = (body: string, secret = 'new'): Record<string, string> => ({
  'x-signature': createHmac('sha256', secret).update(body).digest('hex')
})
const plain = 'text/plain; charset=utf-8'
const json = 'application/json; charset=utf-8'
const notFound = { status: 404, code: 'LNK_WEBHOOK_CONNECTION_NOT_FOUND' }

t.test('a value of the query is sent back as plain text when the token is the right one', async t => {
  const { send, streams } = await buildFeed(t)
  const ask = (token: string, challenge: string) =>
    send({ suffix: `?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${challenge}` })

  const answer = await ask('entered', encodeURIComponent('<script>1</script>'))
  t.match(answer, {
    status: 200,
    type: plain,
    body: '<script>1</script>',
    headers: { 'x-content-type-options': 'nosniff', 'x-linker-delivery-id': /^[0-9a-f-]{36}$/ }
  })
  t.match(await ask('guessed', '7'), { status: 401, code: 'LNK_SIGNATURE_MISMATCH' })
  t.match(await ask('', '7'), { status: 401, code: 'LNK_SIGNATURE_MISMATCH' })
  t.equal(streams.entries.length, 0)
})

t.test('a value that cannot be sent back is refused', async t => {
  const { send } = await buildFeed(t)
  const ask = (...challenges: string[]) =>
    send({
      suffix: `?hub.mode=subscribe&hub.verify_token=entered${challenges.map(one => `&hub.challenge=${one}`).join('')}`
    })

  t.match(await ask('a'.repeat(1_024)), { status: 200, body: 'a'.repeat(1_024) })
  for (const value of ['a'.repeat(1_025), 'a%0d%0ab', '%C3%A9', '%00', '']) {
    t.match(await ask(value), { status: 400, code: 'LNK_WEBHOOK_MALFORMED' }, value.slice(0, 20))
  }
  t.match(await ask('a', 'b'), { status: 400 }, 'a value that came twice')
  t.match(await ask(), { status: 400 }, 'no value')
})

t.test('a token that the config lacks is a fault of the hub, for which the platform may come again', async t => {
  const { send } = await buildFeed(t, { verifyToken: '' })

  t.match(await send({ suffix: '?hub.mode=subscribe&hub.verify_token=&hub.challenge=7' }), {
    status: 503,
    code: 'LNK_WEBHOOK_NOT_READY',
    headers: { 'retry-after': /\d/ }
  })
})

t.test('a challenge in a body is answered as JSON after it is proved, and stores nothing', async t => {
  const { send, streams } = await buildFeed(t)
  const body = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1aB' })
  const post = (headers: Record<string, string>) => send({ method: 'POST', headers, body })

  t.match(await post(sign(body)), { status: 200, type: json, body: '{"challenge":"3eZbrw1aB"}' })
  t.match(await post(sign(body, 'another')), { status: 401, code: 'LNK_SIGNATURE_MISMATCH' })
  t.match(await post({}), { status: 400, code: 'LNK_WEBHOOK_HEADER_MISSING' })
  t.equal(streams.entries.length, 0)
})

t.test('a request that no challenge describes stays a delivery', async t => {
  const { send, streams } = await buildFeed(t)
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId: 'e-1',
    eventType: 'stock.changed',
    occurredAt: '2025-01-01T12:00:00Z',
    object: { type: 'stock', externalId: '1' }
  })

  t.match(await send({ method: 'POST', headers: sign(body), body }), { status: 202, body: '' })
  t.equal(streams.entries.length, 1)
})

t.test('a value of a header is sent back in a header', async t => {
  const { send } = await buildFeed(t)

  t.match(await send({ method: 'POST', headers: { 'x-hook-secret': 'b537207f' } }), {
    status: 200,
    body: '',
    headers: { 'x-hook-secret': 'b537207f' }
  })
  t.match(await send({ method: 'OPTIONS', headers: { 'webhook-request-origin': 'feed.example' } }), {
    status: 204,
    headers: { 'webhook-allowed-origin': 'feed.example', 'webhook-allowed-rate': '*' }
  })
})

t.test('a flood of challenges by POST leaves twenty log lines a second', async t => {
  const { send, log } = await buildFeed(t)
  for (let index = 0; index < 101; index += 1) {
    await send({ method: 'POST', headers: { 'x-hook-secret': 'b537207f' } })
  }

  t.equal(log.filter(line => line.msg === 'request').length, 20)
})

t.test('a token is signed with the newest secret, and only a text that proves no delivery', async t => {
  const { send } = await buildFeed(t)
  const signature = createHmac('sha256', 'new').update('abc+/=').digest('base64')
  const body = JSON.stringify({ response_token: `sha256=${signature}` })

  t.match(await send({ suffix: '?crc_token=abc%2B/=' }), { status: 200, type: json, body })
  for (const value of ['%7B%7D', '%5B%5D', '%22a%22', 'a%20b', 'a'.repeat(257)]) {
    t.match(await send({ suffix: `?crc_token=${value}` }), { status: 400 }, value.slice(0, 20))
  }
  const variables = { LINKER_WEBHOOK_SECRET__FEED: 'new' }
  const ofVariable = await buildFeed(t, { secrets: [], variables })
  t.match(await ofVariable.send({ suffix: '?crc_token=abc%2B/=' }), { body })
  const both = await buildFeed(t, { variables: { LINKER_WEBHOOK_SECRET__FEED: 'of the operator' } })
  t.match(await both.send({ suffix: '?crc_token=abc%2B/=' }), { body })
  const without = await buildFeed(t, { secrets: [] })
  t.match(await without.send({ suffix: '?crc_token=a' }), { status: 401, code: 'LNK_WEBHOOK_SECRET_MISSING' })
})

t.test('an older secret does not sign while the hub cannot read the newest', async t => {
  const { send } = await buildFeed(t, {
    secrets: ['', 'old'],
    variables: { LINKER_WEBHOOK_SECRET__FEED: 'of the operator' }
  })

  t.match(await send({ suffix: '?crc_token=a' }), { status: 503, code: 'LNK_WEBHOOK_NOT_READY' })
  const oldest = await buildFeed(t, { secrets: ['new', ''] })
  t.match(await oldest.send({ suffix: '?crc_token=a' }), { status: 200 })
})

t.test('a form with a ping gets the fixed text, if the platform sends forms', async t => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const source = { content: ['form' as const], topic: { body: '/kind' }, externalId: { body: '/id' } }
  const ping = { method: 'POST', headers: form, body: 'kind=ping&id=' } as const
  const declared = await buildFeed(t, { webhookRules: { verify, source, challenges: [formPing] } })
  const undeclared = await buildFeed(t)

  t.match(await declared.send(ping), { status: 200, type: plain, body: 'OK' })
  t.match(await declared.send({ ...ping, body: 'kind=ping&kind=ping' }), { status: 400 }, 'it came twice')
  t.match(await declared.send({ ...ping, body: `kind=ping&x=${'a'.repeat(16_384)}` }), {
    status: 400,
    code: 'LNK_WEBHOOK_HEADER_MISSING'
  }, 'a large body of a stranger is not parsed')
  t.match(await undeclared.send(ping), { status: 400, code: 'LNK_WEBHOOK_MALFORMED' })
})

t.test('a GET tells a stranger nothing about a connection', async t => {
  const { send, rows } = await buildFeed(t)
  const challenge = '?hub.mode=subscribe&hub.verify_token=entered&hub.challenge=7'
  const without = async (sent: Sent) => {
    const {
      headers: { 'x-linker-delivery-id': _id, 'x-request-id': _request, date: _date, ...headers },
      body,
      ...said
    } = await send(sent)
    const { instance: _instance, requestId: _requestId, ...problem } = JSON.parse(body) as Record<string, unknown>
    return { ...said, headers: { ...headers, 'content-length': undefined }, problem }
  }
  const unknown = await without({ id: unknownId, suffix: challenge })

  t.match(unknown, notFound)
  t.match(await send({ method: 'POST', id: unknownId, body: '{}' }), notFound)
  t.strictSame(await without({}), unknown)
  t.strictSame(await without({ suffix: '?hub.mode=unsubscribe' }), unknown)
  t.strictSame(await without({ id: disabledId, suffix: challenge }), unknown)
  t.strictSame(await without({ method: 'OPTIONS' }), unknown)
  t.equal((await send({ method: 'HEAD', suffix: challenge })).status, 404)
  rows.connections.set(feedId, connection(feedId, { platformType: 'feed', status: 'disabled' }))
  t.strictSame(await without({ suffix: challenge }), unknown, 'a connection that was disabled a moment ago')
})

t.test('a challenge is answered while the database is away', async t => {
  const { send, rows, clock } = await buildFeed(t)
  const challenge = { suffix: '?hub.mode=subscribe&hub.verify_token=entered&hub.challenge=7' }
  await send(challenge)
  rows.failure = new Error('down')
  clock.nowMs += 60_000

  t.match(await send(challenge), { status: 200, body: '7' })
})

t.test('a challenge waits only a second for a database that hangs', async t => {
  const { send, rows } = await buildFeed(t)
  const challenge = { suffix: '?hub.mode=subscribe&hub.verify_token=entered&hub.challenge=7' }
  await send(challenge)
  const { promise, resolve } = Promise.withResolvers<void>()
  rows.hang = promise
  const first = await Promise.race([send(challenge), sleep(2_500)])
  resolve()

  t.match(first, { status: 200, body: '7' })
})

t.test('a GET that the platform proves is answered only then', async t => {
  const proved: WebhookChallenge = { ...subscribe, token: undefined, isProved: true }
  const { send } = await buildFeed(t, { webhookRules: { verify, challenges: [proved] } })
  const suffix = '?hub.mode=subscribe&hub.challenge=7'

  t.match(await send({ suffix, headers: sign('') }), { status: 200, body: '7' })
  t.match(await send({ suffix }), { status: 400, code: 'LNK_WEBHOOK_HEADER_MISSING' })
  t.match(await send({ suffix, headers: sign('', 'another') }), { status: 401 })
})

t.test('the address for tests says that a request is a challenge', async t => {
  const { send } = await buildFeed(t)
  const body = JSON.stringify({ type: 'url_verification', challenge: 'a' })
  const answer = await send({ method: 'POST', suffix: '/test', headers: sign(body), body })

  t.match(JSON.parse(answer.body), { ok: true, ignored: /^it is a challenge of the platform/ })
})

t.test('an accepted delivery gets the answer that the platform expects', async t => {
  const { send } = await buildFeed(t, { webhookRules: { verify, accepted: { status: 200, text: 'OK' } } })
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId: 'e-1',
    eventType: 'stock.changed',
    occurredAt: '2025-01-01T12:00:00Z',
    object: { type: 'stock', externalId: '1' }
  })
  const post = () => send({ method: 'POST', headers: sign(body), body })

  t.match(await post(), { status: 200, type: plain, body: 'OK', headers: { 'x-linker-delivery-id': /./ } })
  t.match(await post(), { status: 200, body: 'OK', headers: { 'x-linker-duplicate': 'true' } })
  t.match(await send({ method: 'POST', headers: sign(body, 'another'), body }), { status: 401 })
})
