import { createSigningKey, isSignature, signWebhook, verifyWebhook } from '@linker/sdk'
import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import t from 'tap'

const secret = 'test-secret'
const timestamp = '1735729231000'
const productSaved = '{"schemaVersion":1,"eventId":"e3a637dd-70f4-11f4-1322-17ce5f42b233",' +
  '"eventType":"product.saved","occurredAt":"2025-01-01T12:00:31+01:00",' +
  '"object":{"type":"product","externalId":"27"}}'
const orderStatusChanged = '{"schemaVersion":1,"eventId":"e1560a17-ac93-df24-6026-251452786be9",' +
  '"eventType":"order.status_changed","occurredAt":"2025-01-01T12:00:31+01:00",' +
  '"object":{"type":"order","externalId":"5"},"payload":{"newStatusId":4}}'
const vectors = {
  [productSaved]: 'sha256=905fa527df46e1b0f59e223e1a86efcf0a1b2eba35300d98071bc0ab777b9b99',
  [orderStatusChanged]: 'sha256=813677ebb18f79b6b1a88e690a84ff3793ebc61a2089f2a944b36fb0427308a5'
}
const [body = '', signature = ''] = Object.entries(vectors)[0] ?? []

t.test('the deliveries of the shop module are signed and verified as it signs them', async t => {
  const key = createSigningKey(secret)

  for (const [rawBody, expected] of Object.entries(vectors)) {
    t.equal(signWebhook(secret, timestamp, rawBody), expected)
    t.equal(signWebhook(key, timestamp, Buffer.from(rawBody)), expected)
    t.ok(verifyWebhook(secret, timestamp, rawBody, expected))
    t.ok(verifyWebhook(key, timestamp, Buffer.from(rawBody), expected))
  }
})

t.test('each flipped bit of the body is noticed', async t => {
  const key = createSigningKey(secret)
  const bytes = Buffer.from(body)

  t.equal(flips(bytes).filter(flipped => verifyWebhook(key, timestamp, flipped, signature)).length, 0)
  t.ok(verifyWebhook(key, timestamp, bytes, signature))
})

t.test('each flipped bit of the timestamp is noticed', async t => {
  const flipped = flips(Buffer.from(timestamp)).map(bytes => bytes.toString('latin1'))

  t.equal(flipped.filter(text => verifyWebhook(secret, text, body, signature)).length, 0)
})

t.test('each flipped bit of the signature is noticed, except the one that is the case of a digit', async t => {
  const flipped = flips(Buffer.from(signature)).map(bytes => bytes.toString('latin1'))
  const others = flipped.filter(text => !text.startsWith('sha256=') || text.toLowerCase() !== signature)

  t.equal(flipped.length, 71 * 8)
  t.equal(flipped.length - others.length, signature.slice('sha256='.length).replaceAll(/[0-9]/g, '').length)
  t.equal(others.filter(text => verifyWebhook(secret, timestamp, body, text)).length, 0)
})

t.test('hex digits in upper case are the same digest', async t => {
  const digits = signature.slice('sha256='.length)

  for (const same of [digits.toUpperCase(), digits.replace(/[a-f]/, letter => letter.toUpperCase())]) {
    t.ok(verifyWebhook(secret, timestamp, body, `sha256=${same}`), same)
    t.notOk(verifyWebhook('another-secret', timestamp, body, `sha256=${same}`), same)
  }
})

t.test('another secret, or the same JSON written differently, is refused', async t => {
  t.notOk(verifyWebhook('another-secret', timestamp, body, signature))
  t.notOk(verifyWebhook(secret, timestamp, JSON.stringify(JSON.parse(body), null, 1), signature))
  t.notOk(verifyWebhook(secret, timestamp, `${body}\n`, signature))
})

t.test('bytes that are not UTF-8 are signed as they are', async t => {
  const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])
  const expected = `sha256=${
    createHmac('sha256', secret).update(Buffer.concat([Buffer.from(`${timestamp}.`), bytes])).digest('hex')
  }`

  t.equal(signWebhook(secret, timestamp, bytes), expected)
  t.notOk(verifyWebhook(secret, timestamp, bytes.toString(), expected))
})

const hex = signature.slice('sha256='.length)
const malformed = [
  '',
  'sha256=',
  hex,
  `SHA256=${hex}`,
  `sha256=${hex.slice(0, 63)}`,
  `sha256=${hex}a`,
  `sha256=${hex}${hex}`,
  'sha256=ab',
  'sha256=AB..',
  ` ${signature}`,
  `${signature} `,
  `${signature}\n`,
  `sha256= ${hex}`,
  `sha256 = ${hex}`,
  `sha256=${hex.slice(0, 62)}zz`,
  `sha1=${hex}`,
  `${signature},${signature}`,
  `sha256=${'é'.repeat(64)}`
]
for (const form of malformed) {
  t.test(`the signature ${JSON.stringify(form)} is malformed and refused without an exception`, async t => {
    t.notOk(isSignature(form))
    t.notOk(verifyWebhook(secret, timestamp, body, form))
  })
}

t.test('an empty secret signs and verifies nothing', async t => {
  const forged = `sha256=${createHmac('sha256', '').update(`${timestamp}.${body}`).digest('hex')}`

  t.throws(() => createSigningKey(''), { message: 'an empty webhook secret signs nothing' })
  t.throws(() => signWebhook('', timestamp, body), TypeError)
  t.throws(() => verifyWebhook('', timestamp, body, forged), TypeError)
})

t.test('every signed body verifies, and no other does', async t => {
  const property = fc.property(
    fc.string({ minLength: 1 }),
    fc.string({ minLength: 1 }),
    fc.uint8Array(),
    fc.uint8Array(),
    (one, other, bytes, otherBytes) => {
      const signed = signWebhook(one, timestamp, bytes)
      const isSame = one === other && Buffer.compare(bytes, otherBytes) === 0
      return isSignature(signed) && verifyWebhook(one, timestamp, bytes, signed) &&
        verifyWebhook(other, timestamp, otherBytes, signed) === isSame
    }
  )

  t.equal(fc.check(property).counterexample, null)
})

function flips (bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const copy = Buffer.from(bytes)
    const at = bit >> 3
    copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7))
    return copy
  })
}
