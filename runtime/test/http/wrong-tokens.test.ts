import t from 'tap'
import { createWrongTokens } from '../../src/http/wrong-tokens.ts'

const hash = 'a'.repeat(64)

function fail (tokens: ReturnType<typeof createWrongTokens>, ip: string, times = 10): void {
  for (let count = 0; count < times; count++) tokens.addWrong(ip)
}

t.test('a source is an IPv4 address, however it is written, or an IPv6 network of 64 bits', async t => {
  const tokens = createWrongTokens(() => 0)
  fail(tokens, '::ffff:192.0.2.1')
  fail(tokens, '2001:db8:0:1::1')

  for (const slowed of ['192.0.2.1', '::ffff:c000:201', '2001:db8:0:1:ffff::', '2001:0db8:0000:0001::2']) {
    t.equal(tokens.waitSeconds(slowed, hash), 60, slowed)
  }
  for (const other of ['192.0.2.2', '2001:db8:0:2::1', '2001:db8:1:1::1', 'unknown']) {
    t.equal(tokens.waitSeconds(other, hash), 0, other)
  }
})

t.test('the minute begins with the first wrong token, and more of them do not lengthen it', async t => {
  let nowMs = 0
  const tokens = createWrongTokens(() => nowMs)
  fail(tokens, '192.0.2.1', 9)
  nowMs = 30_500
  t.equal(tokens.waitSeconds('192.0.2.1', hash), 0)
  fail(tokens, '192.0.2.1', 5)
  t.equal(tokens.waitSeconds('192.0.2.1', hash), 30)
  nowMs = 60_000
  t.equal(tokens.waitSeconds('192.0.2.1', hash), 0)
  fail(tokens, '192.0.2.1', 1)
  t.equal(tokens.waitSeconds('192.0.2.1', hash), 0, 'a new minute counts anew')
})

t.test('the memory is bounded: many sources drive out the oldest', async t => {
  const tokens = createWrongTokens(() => 0)
  fail(tokens, '192.0.2.1')
  for (let number = 0; number < 10_000; number++) {
    tokens.addWrong(`10.0.${number >> 8}.${number & 255}`)
  }

  t.equal(tokens.waitSeconds('192.0.2.1', hash), 0)
})
