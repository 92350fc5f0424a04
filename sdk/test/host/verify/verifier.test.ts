import type { WebhookVerification } from '@linker/sdk'
import { createHash, createHmac } from 'node:crypto'
import t from 'tap'
import { judge, nowMs, type Sent } from './support.ts'

// The signatures are computed here with node:crypto alone, as the platforms document them.

const body = '{"id":820982911946154500,"note":"zażółć"}'
const encodedSecret = Buffer.from('a key of some bytes').toString('base64')

interface Scheme {
  declared: WebhookVerification
  secret: string
  /** A delivery that the platform sends at a time. */
  send(options: { body: string, secret: string, atMs: number }): Sent
  /** The header with the proof. */
  proof?: string
  hasTime: boolean
  hasBody: boolean
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** A JSON Web Token, written out. */
function token (claims: object, secret: string, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const signed = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const jwt: WebhookVerification = {
  kind: 'jwt',
  header: 'Authorization',
  word: 'Bearer',
  bodyHash: { claim: 'payload_hash', algorithm: 'sha256', encoding: 'hex' }
}

const schemes: Record<string, Scheme> = {
  'base64 over the body': {
    declared: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { header: 'X-Feed-Hmac-Sha256' },
      signed: ['body']
    },
    secret: 'shared-secret',
    send: ({ body, secret }) => ({
      headers: [['X-Feed-Hmac-Sha256', createHmac('sha256', secret).update(body).digest('base64')]],
      body
    }),
    proof: 'X-Feed-Hmac-Sha256',
    hasTime: false,
    hasBody: true
  },
  'a time and a signature in one header': {
    declared: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { header: 'Feed-Signature', pair: { name: 'v1' } },
      timestamp: { header: 'Feed-Signature', pair: { name: 't' }, unit: 's' },
      signed: ['timestamp', { text: '.' }, 'body']
    },
    secret: 'endpoint-secret',
    send ({ body, secret, atMs }) {
      const at = Math.floor(atMs / 1_000)
      const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
      return { headers: [['Feed-Signature', `t=${at}, v0=${'0'.repeat(64)}, v1=${signature}`]], body }
    },
    proof: 'Feed-Signature',
    hasTime: true,
    hasBody: true
  },
  'hex behind a prefix': {
    declared: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      signature: { header: 'X-Feed-Signature-256', prefix: 'sha256=' },
      signed: ['body']
    },
    secret: 'hook-secret',
    send: ({ body, secret }) => ({
      headers: [['x-feed-signature-256', `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`]],
      body
    }),
    proof: 'x-feed-signature-256',
    hasTime: false,
    hasBody: true
  },
  'two headers joined with the body, and a secret in base64': {
    declared: {
      kind: 'hmac',
      algorithm: 'sha256',
      encoding: 'base64',
      signature: { header: 'webhook-signature', pair: { name: 'v1', separator: ' ', assignment: ',' } },
      timestamp: { header: 'webhook-timestamp', unit: 's', skewMs: 60_000 },
      signed: [{ header: 'webhook-id' }, { text: '.' }, 'timestamp', { text: '.' }, 'body'],
      secret: { encoding: 'base64', prefix: 'whsec_' }
    },
    secret: `whsec_${encodedSecret}`,
    send ({ body, secret, atMs }) {
      const at = String(Math.floor(atMs / 1_000))
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const signature = createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64')
      const headers = [['webhook-id', 'msg_1'], ['webhook-timestamp', at], ['webhook-signature', `v1,${signature}`]]
      return { headers: headers as [string, string][], body }
    },
    proof: 'webhook-signature',
    hasTime: true,
    hasBody: true
  },
  'the address with the body, by SHA-1': {
    declared: {
      kind: 'hmac',
      algorithm: 'sha1',
      encoding: 'base64',
      signature: { header: 'x-feed-signature' },
      signed: ['url', 'body']
    },
    secret: 'auth-token',
    send: ({ body, secret }) => ({
      headers: [[
        'x-feed-signature',
        createHmac('sha1', secret).update(`https://hub.example/webhooks/feed/1?shop=7${body}`).digest('base64')
      ]],
      callbackUrl: 'https://hub.example/webhooks/feed/1',
      query: 'shop=7',
      body
    }),
    proof: 'x-feed-signature',
    hasTime: false,
    hasBody: true
  },
  'the method and an ISO time, by SHA-512': {
    declared: {
      kind: 'hmac',
      algorithm: 'sha512',
      encoding: 'base64url',
      signature: { header: 'x-signature' },
      timestamp: { header: 'x-date', unit: 'iso' },
      signed: ['method', { text: '\n' }, 'timestamp', { text: '\n' }, 'body'],
      secret: { encoding: 'hex' }
    },
    secret: '00ff10',
    send ({ body, secret, atMs }) {
      const at = new Date(atMs).toISOString()
      const hmac = createHmac('sha512', Buffer.from(secret, 'hex')).update(`POST\n${at}\n${body}`)
      return { headers: [['X-Date', at], ['X-Signature', hmac.digest('base64url')]], body }
    },
    proof: 'X-Signature',
    hasTime: true,
    hasBody: true
  },
  'a JSON Web Token with a hash of the body': {
    declared: jwt,
    secret: 'token-secret-of-the-account',
    send ({ body, secret, atMs }) {
      const iat = Math.floor(atMs / 1_000)
      const claims = { iat, exp: iat + 60, payload_hash: createHash('sha256').update(body).digest('hex') }
      return { headers: [['Authorization', `Bearer ${token(claims, secret)}`]], body }
    },
    proof: 'Authorization',
    hasTime: true,
    hasBody: true
  },
  'a bearer token in a header of its own': {
    declared: { kind: 'bearer', header: 'X-Feed-Token' },
    secret: 'feed-token',
    send: ({ body, secret }) => ({ headers: [['X-Feed-Token', secret]], body }),
    proof: 'X-Feed-Token',
    hasTime: false,
    hasBody: false
  },
  'user and password': {
    declared: { kind: 'basic', user: 'feed' },
    secret: 'pass:word',
    send: ({ body, secret }) => ({
      headers: [['Authorization', `basic ${Buffer.from(`feed:${secret}`).toString('base64')}`]],
      body
    }),
    proof: 'Authorization',
    hasTime: false,
    hasBody: false
  },
  'a token in the query': {
    declared: { kind: 'query', parameter: 'token' },
    secret: 'query-token',
    send: ({ body, secret }) => ({ query: `shop=7&token=${encodeURIComponent(secret)}`, body }),
    hasTime: false,
    hasBody: false
  }
}

const otherSecrets: Record<string, string> = {
  'two headers joined with the body, and a secret in base64': `whsec_${Buffer.from('another').toString('base64')}`,
  'the method and an ISO time, by SHA-512': '00ff11'
}

for (const [name, scheme] of Object.entries(schemes)) {
  const { declared, secret, send, proof, hasTime, hasBody } = scheme
  const other = otherSecrets[name] ?? 'another-secret'
  const good = send({ body, secret, atMs: nowMs })
  const { headers = [] } = good
  const withProof = (change: (value: string) => string): Sent => ({
    ...good,
    headers: headers.map(([header, value]) => [header, header === proof ? change(value) : value])
  })

  t.test(name, async t => {
    t.test('a delivery of the platform is accepted with any of the secrets', async t => {
      t.equal(judge(declared, good, secret), 'accepted')
      t.equal(judge(declared, good, other, secret), 'accepted')
    })

    t.test('another secret, or none, is refused', async t => {
      t.match(judge(declared, send({ body, secret: other, atMs: nowMs }), secret), /^mismatch/)
      t.match(judge(declared, good), /^secret: No webhook secret is set/)
    })

    if (hasBody) {
      t.test('each changed byte of a signed body is refused', async t => {
        const bytes = Buffer.from(body)
        for (let at = 0; at < bytes.length; at += 1) {
          const changed = Buffer.from(bytes)
          changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
          t.match(judge(declared, { ...good, body: changed }, secret), /^mismatch/)
        }
        t.match(judge(declared, { ...good, body: `${body} ` }, secret), /^mismatch/)
      })
    }

    if (hasTime) {
      t.test('an old time and one in the future are refused', async t => {
        const limitMs = 'timestamp' in declared ? declared.timestamp?.skewMs ?? 300_000 : 360_000
        t.match(judge(declared, send({ body, secret, atMs: nowMs - limitMs - 1_000 }), secret), /^stale/)
        t.match(judge(declared, send({ body, secret, atMs: nowMs + limitMs + 1_000 }), secret), /^stale/)
        t.equal(judge(declared, send({ body, secret, atMs: nowMs - limitMs + 1_000 }), secret), 'accepted')
      })
    }

    t.test('a proof that is missing, empty or there twice is refused by its name', async t => {
      const words = new RegExp(proof ?? 'token', 'i')
      const without = { ...good, query: '', headers: headers.filter(([header]) => header !== proof) }
      t.match(judge(declared, without, secret), /^(?:missing|mismatch)/)
      t.match(judge(declared, without, secret), words)
      t.match(judge(declared, { ...withProof(() => ''), query: 'token=' }, secret), /^(?:missing|mismatch)/)
      const twice = {
        ...good,
        query: `${good.query}&token=${secret}`,
        headers: [...headers, ...headers.filter(([header]) => header === proof)]
      }
      t.match(judge(declared, twice, secret), /^malformed: .*came 2 times/)
    })

    if (proof !== undefined) {
      t.test('a proof with one more or one less character is refused', async t => {
        for (const change of [(value: string) => value.slice(0, -2), (value: string) => `${value}A`]) {
          t.match(judge(declared, withProof(change), secret), /^(?:malformed|mismatch)/)
        }
      })
    }

    t.test('no refusal repeats a secret or what was sent', async t => {
      const refusals = [
        judge(declared, send({ body, secret: other, atMs: nowMs }), secret),
        judge(declared, send({ body, secret, atMs: 0 }), secret),
        judge(declared, withProof(value => `${value}A`), secret)
      ].filter(answer => answer !== 'accepted').join(' ')
      for (const text of [secret, other, ...headers.map(([, value]) => value)]) t.notOk(refusals.includes(text))
    })
  })
}

t.test('published examples are accepted', async t => {
  t.test('hex behind a prefix', async t => {
    const headers = [[
      'X-Feed-Signature-256',
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    ]] as const
    const { declared } = schemes['hex behind a prefix'] as Scheme

    t.equal(judge(declared, { headers, body: 'Hello, World!' }, "It's a Secret to Everybody"), 'accepted')
  })

  t.test('three parts joined with dots', async t => {
    const { declared } = schemes['two headers joined with the body, and a secret in base64'] as Scheme
    const headers = [
      ['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
      ['webhook-timestamp', '1614265330'],
      ['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=']
    ] as const
    const sent = { headers, body: '{"test": 2432232314}', nowMs: 1_614_265_330_000 }

    t.equal(judge(declared, sent, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), 'accepted')
    t.equal(judge(declared, sent, 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), 'accepted', 'the prefix may be missing')
  })

  t.test('RFC 7515, appendix A.1', async t => {
    const declared: WebhookVerification = { kind: 'jwt', header: 'x-token', secret: { encoding: 'base64url' } }
    const sent = {
      headers: [[
        'x-token',
        'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt' +
        'cGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
      ]] as const,
      body: ''
    }
    const key = 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow'

    t.equal(judge(declared, { ...sent, nowMs: 1_300_819_379_000 }, key), 'accepted')
    t.match(judge(declared, { ...sent, nowMs: 1_300_819_380_000 + 300_000 }, key), /^stale: .*has expired/)
  })

  t.test('RFC 4231, test case 2', async t => {
    const { declared } = schemes['hex behind a prefix'] as Scheme
    const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    const headers = [['x-feed-signature-256', `sha256=${signature}`]] as const

    t.equal(judge(declared, { headers, body: 'what do ya want for nothing?' }, 'Jefe'), 'accepted')
  })
})

t.test('while a secret is replaced, one of several signatures is enough', async t => {
  const { declared, secret, send } = schemes['a time and a signature in one header'] as Scheme
  const [, value = ''] = send({ body, secret, atMs: nowMs }).headers?.[0] ?? []
  const headers = [['Feed-Signature', value.replace('v0=', 'v1=')]] as const

  t.equal(judge(declared, { headers, body }, secret), 'accepted')
  t.match(judge(declared, { headers, body }, 'another'), /^mismatch/)
})

t.test('a time that is there twice is refused, whichever is signed', async t => {
  const { declared, secret, send } = schemes['a time and a signature in one header'] as Scheme
  const [, value = ''] = send({ body, secret, atMs: nowMs }).headers?.[0] ?? []

  t.match(judge(declared, { headers: [['Feed-Signature', `${value},t=1`]], body }, secret), /^malformed: 't' in/)
})

t.test('a token with another algorithm, with crit or without a time is refused', async t => {
  const declared: WebhookVerification = { kind: 'jwt', header: 'x-token' }
  const iat = nowMs / 1_000
  const send = (claims: object, header?: object) =>
    judge(declared, { headers: [['x-token', token(claims, 'key', header)]], body: '' }, 'key')
  const unsigned = `${base64url('{"alg":"none"}')}.${base64url(JSON.stringify({ iat }))}.`

  t.equal(send({ iat }), 'accepted')
  t.match(send({ iat }, { alg: 'none' }), /^mismatch: .*HS256/)
  t.match(send({ iat }, { alg: 'HS512' }), /^mismatch/)
  t.match(send({ iat }, { alg: 'HS256', crit: ['b64'] }), /^mismatch: .*crit/)
  t.match(judge(declared, { headers: [['x-token', unsigned]], body: '' }, 'key'), /^malformed/)
  t.match(send({}), /^stale: .*neither exp nor iat/)
  t.match(send({ iat: String(iat) }), /^malformed: iat/)
  t.match(send({ iat, nbf: iat + 301 }), /^stale: .*not valid yet/)
  t.match(send({ iat: iat + 301, exp: iat + 900 }), /^stale: iat/)
  t.equal(send({ iat: iat - 900, exp: iat + 60 }), 'accepted', 'the platform says how long it is valid')
})

t.test('a secret of another form is named as the fault, without its text', async t => {
  const { declared, send } = schemes['two headers joined with the body, and a secret in base64'] as Scheme
  const sent = send({ body, secret: encodedSecret, atMs: nowMs })

  t.equal(judge(declared, sent, 'whsec_!'), 'secret: The webhook secret of this connection is not base64')
  t.equal(judge(declared, sent, 'whsec_'), 'secret: The webhook secret of this connection is not base64')
  t.match(
    judge({ kind: 'basic' }, { headers: [['authorization', 'Basic YTpi']], body }, 'no-colon'),
    /^secret: .* is not user:password/
  )
})

t.test('a signed address that the hub does not know is no fault of the sender', async t => {
  const { declared, secret, send } = schemes['the address with the body, by SHA-1'] as Scheme

  t.match(
    judge(declared, { ...send({ body, secret, atMs: nowMs }), callbackUrl: undefined }, secret),
    /callbackBaseUrl/
  )
})
