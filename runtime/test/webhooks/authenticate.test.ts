import { createSigningKey, signWebhook } from '@linker/sdk'
import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import t from 'tap'
import { authenticateBearer, authenticateSigned } from '../../src/webhooks/authenticate.ts'
import { hashToken, type WebhookSecret } from '../../src/webhooks/secrets.ts'
import { event, secret, startMs } from './support.ts'

const body = Buffer.from(JSON.stringify(event))
const timestamp = String(startMs)
const signature = signWebhook(secret, timestamp, body)

const prepare = (text: string): WebhookSecret => ({ key: createSigningKey(text), hash: hashToken(text) })

/** Returns the code of the refusal, or `accepted`. */
function judge ({ rawBody = body, at = timestamp, signed = signature, secrets = [prepare(secret)] }: {
  rawBody?: Buffer,
  at?: string,
  signed?: string,
  secrets?: WebhookSecret[]
} = {}): string {
  try {
    authenticateSigned({
      headers: { 'content-type': 'application/json', 'x-linker-timestamp': at, 'x-linker-signature': signed },
      rawBody,
      secrets,
      nowMs: startMs,
      skewMs: 300_000
    })
    return 'accepted'
  } catch (error) {
    return (error as { code: string }).code
  }
}

function flip (bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes)
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return flipped
}

t.test('every flipped bit of the body is noticed', async t => {
  const accepted = Array.from({ length: body.length * 8 }, (_, bit) => judge({ rawBody: flip(body, bit) })).filter(
    code => code !== 'LNK_SIGNATURE_MISMATCH'
  )

  t.strictSame(accepted, [])
})

t.test('every flipped bit of the timestamp and of the signature is noticed', async t => {
  for (let bit = 0; bit < timestamp.length * 8; bit += 1) {
    t.not(judge({ at: flip(Buffer.from(timestamp), bit).toString('latin1') }), 'accepted')
  }
  for (let bit = 0; bit < signature.length * 8; bit += 1) {
    const signed = flip(Buffer.from(signature), bit).toString('latin1')
    const isOther = !signed.startsWith('sha256=') || signed.toLowerCase() !== signature
    if (isOther) t.not(judge({ signed }), 'accepted')
  }
})

t.test('the same JSON written otherwise needs its own signature', async t => {
  const pretty = Buffer.from(JSON.stringify(event, null, 2))
  t.equal(judge({ rawBody: pretty }), 'LNK_SIGNATURE_MISMATCH')
  t.equal(judge({ rawBody: pretty, signed: signWebhook(secret, timestamp, pretty) }), 'accepted')
})

t.test('a signature of another form is refused before it is compared', async t => {
  const hex = signature.slice(7)
  for (
    const signed of [
      'ab',
      hex,
      `sha256=${hex.slice(1)}`,
      `sha256=${hex}0`,
      `sha256=${hex}${hex}`,
      ` ${signature}`,
      `${signature} `,
      `sha256= ${hex}`,
      `SHA256=${hex}`,
      `sha1=${hex}`,
      `${signature},${signature}`,
      `${signature}\n`,
      `sha256=${'g'.repeat(64)}`
    ]
  ) {
    t.equal(judge({ signed }), 'LNK_WEBHOOK_MALFORMED', JSON.stringify(signed))
  }
})

t.test('hex digits in upper case are the same signature', async t => {
  const hex = signature.slice('sha256='.length)

  t.equal(judge({ signed: `sha256=${hex.toUpperCase()}` }), 'accepted')
  t.equal(judge({ signed: `sha256=${hex.toUpperCase()}`, rawBody: Buffer.from('{}') }), 'LNK_SIGNATURE_MISMATCH')
})

t.test('a signature made with the empty key opens nothing', async t => {
  const signed = `sha256=${createHmac('sha256', '').update(`${timestamp}.`).update(body).digest('hex')}`

  t.equal(judge({ signed }), 'LNK_SIGNATURE_MISMATCH')
  t.equal(judge({ signed, secrets: [] }), 'LNK_WEBHOOK_SECRET_MISSING')
})

t.test('any of several secrets is good', async t => {
  t.equal(judge({ secrets: [prepare('new'), prepare(secret)] }), 'accepted')
  t.equal(judge({ secrets: [prepare('new'), prepare('newer')] }), 'LNK_SIGNATURE_MISMATCH')
})

t.test('the gate accepts only the bytes that were signed', async t => {
  t.doesNotThrow(() => {
    fc.assert(fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: -300_000, max: 300_000 }),
      (signedBytes, sentBytes, offset) => {
        const at = String(startMs + offset)
        const isSame = Buffer.compare(signedBytes, sentBytes) === 0
        return (judge({ rawBody: Buffer.from(sentBytes), at, signed: signWebhook(secret, at, signedBytes) }) ===
          'accepted') === isSame
      }
    ))
  })
})

t.test('any headers are answered with a code', async t => {
  const property = fc.property(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }),
    (at, signed) => judge({ at, signed }).startsWith('LNK_')
  )

  t.equal(fc.check(property).counterexample, null)
})

t.test('a bearer token is compared whole', async t => {
  const secrets = [prepare('a-token')]
  const attempt = (authorization: string) => () => {
    authenticateBearer({ headers: { authorization }, secrets })
  }

  t.doesNotThrow(attempt('Bearer a-token'))
  for (
    const other of [
      '',
      'a-toke',
      'a-tokenn',
      'A-token',
      'a token',
      'a-token,a-token',
      ' '.repeat(5_000),
      'x'.repeat(5_000)
    ]
  ) t.throws(attempt(`Bearer ${other}`), { code: 'LNK_SIGNATURE_MISMATCH' })
})

t.test('a refusal names the common mistake that made the signature', async t => {
  const sign = (key: string | Buffer, ...parts: (string | Buffer)[]): string => {
    const hmac = createHmac('sha256', key)
    for (const part of parts) hmac.update(part)
    return `sha256=${hmac.digest('hex')}`
  }
  const text = Buffer.from('a secret of sixteen bytes or more').toString('base64')
  const messageOf = (signed: string, given: Partial<{ rawBody: Buffer, secrets: WebhookSecret[] }> = {}): string => {
    try {
      authenticateSigned({
        headers: { 'x-linker-timestamp': timestamp, 'x-linker-signature': signed },
        rawBody: body,
        secrets: [prepare('another'), prepare(secret), prepare(text)],
        nowMs: startMs,
        skewMs: 300_000,
        ...given
      })
      return 'accepted'
    } catch (error) {
      return (error as Error).message
    }
  }
  const large = Buffer.alloc(20_000, ' ')
  const beginsAsHex = [prepare('ab is how this secret begins')]

  t.match(messageOf(sign(secret, body)), /^The signature does not match: the secret fits, but the body alone was/)
  t.match(messageOf(sign(secret, timestamp, body)), /the dot was left out: sign X-Linker-Timestamp, a dot and the body/)
  t.match(messageOf(sign(secret, body, '.', timestamp)), /the body was signed before the timestamp/)
  t.match(messageOf(sign(secret, timestamp, '.', body, '\n')), /a line break after the body was signed, and not sent/)
  t.match(messageOf(sign(secret, timestamp.slice(0, -3), '.', body)), /the time was signed in seconds/)
  t.match(messageOf(sign(`${secret}\n`, timestamp, '.', body)), /the secret of the sender ends with a line break/)
  t.match(messageOf(sign(Buffer.from(text, 'base64'), timestamp, '.', body)), /the sender has decoded the secret/)
  const unknown = /^The signature does not match the body received: the secret differs/
  t.match(messageOf(sign('forged', body)), unknown)
  const guessed = sign(Buffer.from('ab', 'hex'), timestamp, '.', body)
  t.match(messageOf(guessed, { secrets: beginsAsHex }), unknown, 'nobody learns how a secret begins')
  t.match(messageOf(sign(secret, large), { rawBody: large }), unknown, 'a large body is not signed again and again')
})

t.test('a request with neither header names both, and what to send in place of a token', async t => {
  const messageOf = (headers: Record<string, string>): string => {
    try {
      authenticateSigned({ headers, rawBody: body, secrets: [prepare(secret)], nowMs: startMs, skewMs: 300_000 })
      return 'accepted'
    } catch (error) {
      return (error as Error).message
    }
  }

  t.equal(messageOf({}), 'Headers X-Linker-Timestamp and X-Linker-Signature are missing')
  t.match(messageOf({ authorization: 'Bearer x' }), /are missing: this connection takes a signature, and no token$/)
  t.equal(messageOf({ 'x-linker-signature': signature }), 'Header X-Linker-Timestamp is missing')
})
