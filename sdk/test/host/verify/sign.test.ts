import type { WebhookVerification } from '@linker/sdk'
import { createWebhookSecret, proveWebhook } from '@linker/sdk/host'
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { judge, nowMs } from './support.ts'

const callbackUrl = 'https://hub.example/webhooks/feed/1'
const body = '{"test":true}'

const declarations: WebhookVerification[] = [
  {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'base64',
    signature: { header: 'Feed-Signature', prefix: 'a', pair: { name: 'v1', separator: ';' } },
    timestamp: { header: 'feed-signature', pair: { name: 'ts', separator: ';' }, unit: 's' },
    signed: ['method', 'url', { header: 'X-Id' }, 'timestamp', { text: ':' }, 'body'],
    secret: { encoding: 'base64', prefix: 'whsec_' }
  },
  {
    kind: 'hmac',
    algorithm: 'sha512',
    encoding: 'hex',
    signature: { header: 'x-signature' },
    timestamp: { header: 'x-time', unit: 'iso' },
    signed: ['timestamp', 'body'],
    secret: { encoding: 'hex' }
  },
  { kind: 'bearer', header: 'authorization', word: 'Token' },
  { kind: 'bearer', header: 'x-token' },
  { kind: 'basic', user: 'feed' },
  { kind: 'basic' },
  { kind: 'query', parameter: 'token' },
  {
    kind: 'jwt',
    header: 'authorization',
    word: 'Bearer',
    bodyHash: { claim: 'body', algorithm: 'sha512', encoding: 'base64' },
    secret: { encoding: 'base64url' }
  }
]

for (const [index, declared] of declarations.entries()) {
  t.test(`the hub accepts what it proves itself with a secret of its own: ${index}, ${declared.kind}`, async t => {
    const [secret, other] = [createWebhookSecret(randomBytes, declared), createWebhookSecret(randomBytes, declared)]
    const proof = proveWebhook(declared, { secret, rawBody: Buffer.from(body), callbackUrl, nowMs })
    const sent = {
      headers: Object.entries(proof.headers),
      query: new URLSearchParams(proof.query).toString(),
      // The platform appends nothing to the address that it signs.
      callbackUrl,
      body
    }

    t.equal(judge(declared, sent, secret), 'accepted')
    t.match(judge(declared, sent, other), /^mismatch/)
  })
}

t.test('signed headers that the sender sets itself are signed as they will arrive', async t => {
  const declared: WebhookVerification = {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { header: 'x-signature' },
    signed: [
      { header: 'Host' },
      { header: 'Content-Type' },
      { header: 'content-length' },
      { header: 'User-Agent' },
      'body'
    ]
  }
  const sent = { 'Content-Type': 'application/json' }
  const proof = proveWebhook(declared, { secret: 's', rawBody: Buffer.from(body), callbackUrl, headers: sent, nowMs })
  const arrived = {
    host: 'hub.example',
    'content-length': String(body.length),
    ...sent,
    ...proof.headers
  }

  t.strictSame(Object.keys(proof.headers), ['user-agent', 'x-signature'], 'only what the sender does not set')
  t.equal(judge(declared, { headers: Object.entries(arrived), body }, 's'), 'accepted')
})

t.test('a query that holds parts of the event is signed with the address', async t => {
  const declared: WebhookVerification = {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { header: 'x-signature' },
    signed: ['url', 'body']
  }
  const query = 'topic=a%2Fb'
  const proof = proveWebhook(declared, { secret: 's', rawBody: Buffer.from(body), callbackUrl, query, nowMs })
  const sent = { headers: Object.entries(proof.headers), callbackUrl, body }

  t.equal(judge(declared, { ...sent, query }, 's'), 'accepted')
  t.match(judge(declared, sent, 's'), /^mismatch/)
})

t.test('a secret has 32 random bytes in the form of the platform', async t => {
  const bytes = (count: number): Buffer => Buffer.alloc(count, 255)
  const [base64] = declarations

  t.equal(createWebhookSecret(bytes), Buffer.alloc(32, 255).toString('base64url'))
  t.equal(createWebhookSecret(bytes, base64), `whsec_${Buffer.alloc(32, 255).toString('base64')}`)
})
