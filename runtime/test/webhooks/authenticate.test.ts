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
    t.not(judge({ signed: flip(Buffer.from(signature), bit).toString('latin1') }), 'accepted')
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
      `sha256=${hex.toUpperCase()}`,
      `sha1=${hex}`,
      `${signature},${signature}`,
      `${signature}\n`,
      `sha256=${'g'.repeat(64)}`
    ]
  ) {
    t.equal(judge({ signed }), 'LNK_WEBHOOK_MALFORMED', JSON.stringify(signed))
  }
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
