import {
  defineAdapter,
  type WebhookChallenge,
  type WebhookHmac,
  type WebhookSource,
  type WebhookVerification
} from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { signingFaults } from '../../src/host/webhook-challenges.ts'

const verify: WebhookHmac = {
  kind: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  signature: { header: 'x-signature' },
  signed: ['body']
}

const subscribe: WebhookChallenge = {
  method: 'GET',
  when: [{ query: 'hub.mode', equals: 'subscribe' }, { query: 'hub.challenge' }],
  token: { at: { query: 'hub.verify_token' }, config: 'verifyToken' },
  answer: { text: { query: 'hub.challenge' } }
}
const handshake: WebhookChallenge = {
  method: 'OPTIONS',
  when: [{ header: 'webhook-request-origin' }],
  answer: {
    status: 204,
    headers: { 'Webhook-Allowed-Origin': { header: 'webhook-request-origin' }, 'Webhook-Allowed-Rate': { text: '*' } }
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
const ping: WebhookChallenge = {
  method: 'POST',
  when: [{ body: '/type', equals: 'url_verification' }],
  isProved: true,
  answer: { status: 200, json: { challenge: { body: '/challenge' } } }
}

const describe = (challenges: unknown, more: object = {}) =>
  describeAdapter(defineAdapter({
    config: Type.Object({ verifyToken: Type.Optional(Type.String()), count: Type.Optional(Type.Integer()) }),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    webhooks: { verify, challenges: challenges as WebhookChallenge[], ...more }
  })).webhooks

t.test('challenges and the answer to deliveries are described as copies', async t => {
  const declared = [subscribe, handshake, crc, ping]
  const described = describe(declared, { accepted: { status: 200, text: 'OK' } })

  t.strictSame(described?.challenges, declared)
  t.not(described?.challenges, declared)
  t.strictSame(described?.accepted, { status: 200, text: 'OK' })
})

const withAnswer = (answer: unknown) => [{ ...ping, answer }]
const faults: [unknown, RegExp][] = [
  [{}, /webhooks\.challenges is of the type object: an array is allowed/],
  [Array.from({ length: 11 }, () => ping), /webhooks\.challenges has 11 entries: 10 are allowed/],
  [[{ ...ping, method: 'PUT' }], /challenges\[0\]\.method is 'PUT': 'GET' or 'POST' or 'OPTIONS' is allowed/],
  [[{ ...ping, when: [] }], /challenges\[0\]\.when is an array: a list of 1 to 20 conditions/],
  [
    [{ ...ping, when: [{ cookie: 'a' }] }],
    /when\[0\] is of the type object: an object with one of header, query, body/
  ],
  [[{ ...ping, when: [{ header: 'a', query: 'b' }] }], /when\[0\] is of the type object/],
  [[{ ...ping, when: [{ body: 'type' }] }], /when\[0\]\.body is 'type': a JSON pointer/],
  [[{ ...ping, when: [{ body: '/type', equals: 7 }] }], /when\[0\]\.equals is 7/],
  [[{ ...ping, isSigned: true }], /challenges\[0\] has an unknown member 'isSigned'/],
  [[{ ...subscribe, when: [{ body: '/type' }] }], /challenges\[0\] reads the body, and a request with GET has none/],
  [
    [{ ...handshake, answer: { text: { body: '/a' } } }],
    /challenges\[0\] reads the body, and a request with OPTIONS has none/
  ],
  [
    [ping, { ...ping, isProved: false }],
    /challenges\[0\] is never used: webhooks\.challenges\[1\] comes first, and its conditions hold as well/
  ],
  [[subscribe, { ...subscribe, token: undefined }], /challenges\[1\] is never used: webhooks\.challenges\[0\]/],
  [
    [{ ...subscribe, when: [{ query: 'hub.mode' }] }, subscribe],
    /challenges\[1\] is never used: webhooks\.challenges\[0\]/
  ],
  [
    [{ ...handshake, when: [{ header: 'WebHook-Request-Origin' }] }, handshake],
    /challenges\[1\] is never used: webhooks\.challenges\[0\]/
  ],
  [
    [ping, { ...ping, when: [{ body: '/type' }], isProved: false }],
    /challenges\[0\] is never used: webhooks\.challenges\[1\]/
  ],
  [
    [{ ...subscribe, token: { at: { query: 'token' }, config: 'token' } }],
    /challenges\[0\]\.token\.config is 'token': the name of a text in config is allowed/
  ],
  [[{ ...subscribe, token: { at: { query: 'token' }, config: 'count' } }], /token\.config is 'count'/],
  [withAnswer({ status: 302 }), /answer\.status is 302: 200, 201, 202 or 204 is allowed/],
  [withAnswer({ html: { text: 'a' } }), /answer has an unknown member 'html'/],
  [withAnswer({ text: { text: 'a' }, json: { a: { text: 'b' } } }), /answer has both text and json/],
  [withAnswer({ status: 204, text: { text: 'a' } }), /answer has a body, and an answer 204 has none/],
  [withAnswer({ text: 'OK' }), /answer\.text is 'OK': an object with one of text, header, query, body, hmac/],
  [withAnswer({ text: { text: 'é' } }), /answer\.text\.text is 'é': a text of 1 to 1024 printable ASCII characters/],
  [withAnswer({ text: { header: 'Authorization' } }), /answer\.text\.header is 'Authorization': the hub does not send/],
  [withAnswer({ json: {} }), /answer\.json has not 1 to 20 members/],
  [withAnswer({ json: { ['__proto__']: { text: 'a' } } }), /answer\.json names '__proto__'/],
  [withAnswer({ headers: { 'Set-Cookie': { text: 'a' } } }), /answer\.headers names 'Set-Cookie'/],
  [withAnswer({ headers: { 'X-Accel-Redirect': { text: 'a' } } }), /answer\.headers names 'X-Accel-Redirect'/],
  [withAnswer({ headers: { 'X-LiteSpeed-Location': { text: 'a' } } }), /headers names 'X-LiteSpeed-Location'/],
  [
    withAnswer({ headers: { 'X-A': { text: 'a' }, 'x-a': { text: 'b' } } }),
    /answer\.headers names 'x-a' and 'X-A', which are one header/
  ],
  [withAnswer({ headers: { 'X-Linker-Delivery-Id': { text: 'a' } } }), /answer\.headers names 'X-Linker-Delivery-Id'/],
  [
    withAnswer({ text: { hmac: { of: { body: '/a' }, algorithm: 'md5', encoding: 'hex' } } }),
    /answer\.text\.hmac\.algorithm is 'md5'/
  ]
]

for (const [declared, message] of faults) {
  t.test(`${JSON.stringify(declared).slice(0, 100)} is refused when the adapter loads`, async t => {
    t.throws(() => describe(declared), { code: 'LNK_ADAPTER_SHAPE_INVALID', message })
  })
}

t.test('challenges whose conditions can hold without each other are accepted', async t => {
  const mode = (equals: string): WebhookChallenge => ({ ...subscribe, when: [{ query: 'hub.mode', equals }] })
  const any: WebhookChallenge = { ...subscribe, when: [{ query: 'hub.mode' }] }

  t.ok(describe([mode('subscribe'), mode('unsubscribe'), any]))
  t.ok(describe([any, { ...any, method: 'POST' }]))
  t.ok(describe([ping, { ...ping, when: [...ping.when, { query: 'a' }], isProved: false }]))
})

t.test('an answer to deliveries that no platform could take is refused', async t => {
  for (
    const [accepted, message] of [
      [{ text: 'OK' }, /webhooks\.accepted\.status is missing: 200, 201, 202 or 204/],
      [{ status: 404 }, /webhooks\.accepted\.status is 404/],
      [{ status: 204, text: 'OK' }, /webhooks\.accepted\.text is set, and an answer 204 has no body/],
      [{ status: 200, text: '<b>\n' }, /webhooks\.accepted\.text is '<b>\n'/]
    ] as const
  ) {
    t.throws(() => describe([], { accepted }), { code: 'LNK_ADAPTER_SHAPE_INVALID', message })
  }
})

t.test('a hub must not sign the proof of a delivery for somebody else than the platform', async t => {
  const inBody: WebhookSource = { topic: { header: 'x-topic' }, externalId: [{ body: '/id' }, { body: '/order/id' }] }
  const outside: WebhookSource = { topic: { header: 'x-topic' }, externalId: [{ body: '/id' }, { query: 'id' }] }
  const jwt = { kind: 'jwt', header: 'x-token' }
  const withHash = { ...jwt, bodyHash: { claim: 'hash', algorithm: 'sha256', encoding: 'hex' } }
  const proved = { ...crc, isProved: true }
  const answer = { text: { hmac: { of: { body: '/challenge' }, algorithm: 'sha256', encoding: 'hex' } } }
  const signed = { ...ping, answer }
  const scheme = { verify: undefined, scheme: 'hmac' }
  const message =
    /challenges\[0\] makes the hub sign a text that the platform may not have chosen, and such a signature/
  const throws = (challenge: unknown, more: object, name: string) =>
    t.throws(() => describe([challenge], more), { message }, name)

  t.ok(describe([crc]))
  t.ok(describe([crc], { source: inBody }))
  t.ok(describe([crc], { source: outside, verify: { ...verify, algorithm: 'sha512' } }))
  t.ok(describe([crc], { source: outside, verify: { kind: 'bearer', header: 'x-token' } }))
  t.ok(describe([crc], scheme))
  t.ok(describe([crc], { source: outside, verify: undefined, scheme: 'bearer' }))
  throws(crc, { source: outside }, 'events from the query')
  throws(crc, { source: { ...inBody, content: ['form'] } }, 'events from a form')
  throws(crc, { source: { ...inBody, externalId: { body: '' } } }, 'events from a text')
  throws(crc, { verify: jwt }, 'a token')
  throws(crc, { ...scheme, source: outside }, "the hub's own signature")

  t.ok(describe([signed], { source: outside }), 'the platform signs the text')
  t.ok(describe([signed], { verify: withHash }), 'the token protects the text')
  throws(proved, { source: outside }, 'a proof without the query')
  throws(proved, { verify: withHash }, 'a token without the query')
  throws(signed, { verify: jwt }, 'a token without the body')
  throws({ ...signed, isProved: false }, { source: outside }, 'no proof')
  throws({ ...signed, when: [{ header: 'x-a' }] }, { source: outside }, 'a delivery made a challenge')
  throws(crc, { source: inBody, verify: { kind: 'function', isGenuine: () => true } }, 'a function')
})

t.test('a verification that is not known may accept any signature', async t => {
  const another = JSON.parse('{ "kind": "another" }') as WebhookVerification
  const faultsWith = (declared: WebhookChallenge) =>
    signingFaults({ challenges: [declared], verify: another }, 'webhooks').length
  const hmac = { of: { body: '/challenge' }, algorithm: 'sha1', encoding: 'hex' } as const

  t.equal(faultsWith(crc), 1)
  t.equal(faultsWith({ ...crc, isProved: true }), 1)
  t.equal(faultsWith({ ...ping, answer: { text: { hmac } } }), 1)
  t.equal(faultsWith(ping), 0, 'nothing is signed')
})
