import {
  createSigningKey,
  defineAdapter,
  HubJobType,
  signatureHeader,
  timestampHeader,
  verifyWebhook,
  type Adapter,
  type WebhookAccepted,
  type WebhookChallenge,
  type WebhookSource,
  type WebhookVerification
} from '@linker/sdk'
import {
  answerChallenge,
  createVerifier,
  describeAdapter,
  findChallenge,
  type WebhooksDescription
} from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import { createHmac } from 'node:crypto'
import t from 'tap'
import { codeOf, importExample, readPage } from './guide.ts'

const page = 'docs/webhooks.md'

type Webhooks = NonNullable<Adapter['webhooks']>

function describe (webhooks: Webhooks, config = Type.Object({})): WebhooksDescription | undefined {
  return describeAdapter(defineAdapter({
    config,
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    webhooks
  })).webhooks
}

/** Verifies a delivery as the hub does. Throws when it is not genuine. */
function verify (verification: WebhookVerification, header: string, signature: string, body: string, secret: string) {
  createVerifier(verification)({
    method: 'POST',
    query: '',
    callbackUrl: undefined,
    rawHeaders: [header, signature],
    rawBody: Buffer.from(body),
    nowMs: 1_735_729_231_000,
    skewMs: 300_000
  }, [createSigningKey(secret)])
}

t.test('the first declaration takes base64 signatures, and answers the form that checks the address', async t => {
  const { webhooks } = await importExample(t, codeOf(page)) as { webhooks: Webhooks }
  const described = describe(webhooks)
  const verification = webhooks.verify as WebhookVerification
  const signature = createHmac('sha256', 'key').update('{"id":27}').digest('base64')
  const ping = { method: 'POST', query: '', rawHeaders: [], readBody: () => ({ webhook_id: '7' }) }
  const found = findChallenge(described?.challenges ?? [], ping, false)
  const keys = { verify: undefined, secret: createSigningKey('key'), configOf: () => undefined }

  t.match(described, webhooks)
  t.doesNotThrow(() => {
    verify(verification, 'X-Feed-Signature', signature, '{"id":27}', 'key')
  })
  t.throws(() => {
    verify(verification, 'X-Feed-Signature', signature, '{"id":28}', 'key')
  }, /does not match/)
  t.match(found && answerChallenge(found, ping, keys), { status: 200 })
})

t.test('the hub verifies what the platform with pairs in its header signs', async t => {
  const { verify: verification, source } = await importExample(t, codeOf(page, 'ts', 1)) as {
    verify: WebhookVerification,
    source: WebhookSource
  }
  const secret = `whsec_${Buffer.from('key').toString('base64')}`
  const signature = createHmac('sha256', 'key').update('1735729231.{"a":1}').digest('hex')
  const check = (value: string) => () => {
    verify(verification, 'Feed-Signature', value, '{"a":1}', secret)
  }

  t.match(describe({ verify: verification, source }), { verify: verification, source })
  t.doesNotThrow(check(`t=1735729231,v1=${signature}`))
  t.throws(check(`t=1735729232,v1=${signature}`), /does not match/)
})

t.test('the hub accepts the events of the example, which start jobs of the adapter or of the hub', async t => {
  const { webhooks } = await importExample(t, codeOf(page, 'ts', 2)) as { webhooks: Webhooks }

  t.strictSame(describe(webhooks), {
    ...webhooks,
    verify: undefined,
    windowMs: undefined,
    body: undefined,
    source: undefined,
    challenges: undefined,
    accepted: undefined,
    canInstall: false
  })
  const jobs: string[] = Object.values(HubJobType)
  for (const job of Object.values(webhooks.events ?? {})) t.ok(job.startsWith('feedshop.') || jobs.includes(job), job)
})

t.test('the hub answers the challenges of the example', async t => {
  const { challenges, accepted } = await importExample(t, codeOf(page, 'ts', 3)) as {
    challenges: WebhookChallenge[],
    accepted: WebhookAccepted
  }
  const config = Type.Object({ verifyToken: Type.Optional(Type.String()) })
  const described = describe({ scheme: 'hmac', challenges, accepted }, config)
  const answerTo = (method: string, query: string, body: unknown, isProved: boolean, ...rawHeaders: string[]) => {
    const received = { method, query, rawHeaders, readBody: () => body }
    const found = findChallenge(described?.challenges ?? [], received, isProved)
    return found && answerChallenge(found, received, {
      verify: undefined,
      secret: createSigningKey('key'),
      configOf: member => member === 'verifyToken' ? 'entered' : undefined
    })
  }
  const subscribed = 'hub.mode=subscribe&hub.verify_token=entered&hub.challenge=7'
  const verification = { type: 'url_verification', challenge: 'a' }
  const signature = createHmac('sha256', 'key').update('abc').digest('base64')

  t.match(answerTo('GET', subscribed, undefined, false), { status: 200, body: '7', isJson: false })
  t.equal(answerTo('POST', '', verification, false), undefined)
  t.match(answerTo('POST', '', verification, true), { body: '{"challenge":"a"}', isJson: true })
  t.match(answerTo('GET', 'crc_token=abc', undefined, false), { body: `{"response_token":"sha256=${signature}"}` })
  t.match(answerTo('POST', '', {}, false, 'x-hook-secret', 'b5'), { headers: { 'X-Hook-Secret': 'b5' } })
})

t.test('the headers of the example of a sender verify', async t => {
  const { webhookHeaders } = await importExample(t, codeOf(page, 'ts', 4)) as {
    webhookHeaders: (secret: string, rawBody: string, now: Date) => Record<string, string>
  }
  const headers = webhookHeaders('test-secret', '{"a":1}', new Date(1735729231000))

  t.equal(headers[timestampHeader], '1735729231000')
  t.ok(verifyWebhook(createSigningKey('test-secret'), '1735729231000', '{"a":1}', headers[signatureHeader] ?? ''))
})

t.test('the page names every kind of verification', async t => {
  const kinds = ['hmac', 'bearer', 'basic', 'query', 'jwt', 'function']

  t.strictSame(kinds.filter(kind => !readPage(page).includes(`\`${kind}\``)), [])
})
