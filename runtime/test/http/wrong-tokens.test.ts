import t from 'tap'
import { createWrongTokens } from '../../src/http/wrong-tokens.ts'

function fail (tokens: ReturnType<typeof createWrongTokens>, ip: string, times: number): number[] {
  return Array.from({ length: times }, () => tokens.add(ip))
}

t.test('a source is an IPv4 address, however it is written, or an IPv6 network of 64 bits', async t => {
  const tokens = createWrongTokens(() => 0)
  fail(tokens, '::ffff:192.0.2.1', 10)
  fail(tokens, '2001:db8:0:1::1', 10)

  for (const slowed of ['192.0.2.1', '::ffff:c000:201', '2001:db8:0:1:ffff::', '2001:0db8:0000:0001::2']) {
    t.equal(tokens.add(slowed), 60, slowed)
  }
  for (const other of ['192.0.2.2', '2001:db8:0:2::1', '2001:db8:1:1::1', 'unknown']) {
    t.equal(tokens.add(other), 0, other)
  }
})

t.test('the minute begins with the first wrong token, and more of them do not lengthen it', async t => {
  let nowMs = 0
  const tokens = createWrongTokens(() => nowMs)
  t.strictSame(fail(tokens, '192.0.2.1', 9), Array<number>(9).fill(0))
  nowMs = 30_500
  t.strictSame(fail(tokens, '192.0.2.1', 3), [0, 30, 30])
  nowMs = 60_000
  t.strictSame(fail(tokens, '192.0.2.1', 11), [...Array<number>(10).fill(0), 60], 'a new minute counts anew')
})

t.test('the memory is bounded: many sources drive out the oldest', async t => {
  const tokens = createWrongTokens(() => 0)
  fail(tokens, '192.0.2.1', 10)
  for (let number = 0; number < 10_000; number++) tokens.add(`10.0.${number >> 8}.${number & 255}`)

  t.equal(tokens.add('192.0.2.1'), 0)
})
