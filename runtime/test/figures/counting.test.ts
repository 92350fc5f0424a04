import { randomUUID } from 'node:crypto'
import t from 'tap'
import { bucketOf } from '../../src/figures/buckets.ts'
import { createCounting, sumOf } from '../../src/figures/counting.ts'

const one = randomUUID()
const other = randomUUID()
const open = (mostConnections?: number) => {
  const state = { firsts: 0 }
  const counting = createCounting({
    onFirst () {
      state.firsts += 1
    },
    mostConnections
  })
  return { ...counting, state }
}

t.test('the last runs are times: the latest counts, whatever comes later, and no sum has them', async t => {
  const { ran, take, giveBack } = open()
  const [first, second, third] = [new Date(1_000), new Date(2_000), new Date(3_000)]
  ran(one, { hasFailed: true, code: 'LNK_A', at: second })
  const lost = take()
  ran(one, { hasFailed: true, code: 'LNK_B', at: third })
  ran(one, { hasFailed: true, code: 'LNK_A', at: first })
  ran(one, { hasFailed: false, code: undefined, at: first })
  ran(null, { hasFailed: true, code: 'LNK_A', at: third })
  giveBack(lost)
  const taken = take()

  t.strictSame(taken.map(({ counts }) => counts), [{
    'last:failure': 3_000,
    'last:failure:LNK_B': 3_000,
    'last:failure:LNK_A': 2_000,
    'last:success': 1_000
  }])
  t.strictSame(sumOf(taken).counts, {})
})

t.test('counts are kept by connection, and begin anew when they were taken', async t => {
  const { count, upstream, stockWritten, refused, take, state } = open()
  count(one, 'webhooksAccepted')
  count(one, 'webhooksAccepted')
  count(null, 'jobsDead')
  upstream(one, 'shop.v1@1.0.0', { status: 204, durationMs: 12 })
  upstream(one, 'shop.v1@1.1.0', { status: 429, durationMs: 12 })
  upstream(one, 'shop.v1@1.1.0', { durationMs: 30_000 })
  stockWritten(other, 100)
  stockWritten(other, undefined)
  refused(null, 'LNK_SIGNATURE_MISMATCH')
  t.equal(state.firsts, 1)

  t.strictSame(take(), [
    {
      connectionId: one,
      adapter: 'shop.v1@1.1.0',
      counts: {
        webhooksAccepted: 2,
        upstream2xx: 1,
        [`upstream:${bucketOf(12)}`]: 2,
        upstream429: 1,
        upstreamNone: 1,
        [`upstream:${bucketOf(30_000)}`]: 1
      }
    },
    { connectionId: other, adapter: null, counts: { stockWrites: 2, [`written:${bucketOf(100)}`]: 1 } },
    {
      connectionId: null,
      adapter: null,
      counts: { jobsDead: 1, webhooksRefused: 1, 'refused:LNK_SIGNATURE_MISMATCH': 1 }
    }
  ])
  t.strictSame(take(), [])
  count(one, 'jobsSucceeded')
  t.equal(state.firsts, 2)
})

t.test('a status that no server may send counts as no answer', async t => {
  const { upstream, take } = open()
  for (const status of [0, 99, 600, -1, Number.NaN]) upstream(one, 'a', { status, durationMs: Number.NaN })

  t.strictSame(take()[0]?.counts, { upstreamNone: 5, 'upstream:0': 5 })
})

t.test('what nobody could store is added to what came after it', async t => {
  const { count, upstream, take, giveBack, state } = open()
  count(one, 'jobsDead')
  upstream(one, 'old', { status: 200, durationMs: 1 })
  const lost = take()
  upstream(one, 'new', { status: 200, durationMs: 1 })

  giveBack(lost)

  t.strictSame(take(), [
    { connectionId: one, adapter: 'new', counts: { upstream2xx: 2, 'upstream:0': 2, jobsDead: 1 } }
  ])
  giveBack(lost)
  t.equal(state.firsts, 3, 'the flush of the next minute is due')
})

t.test('connections and codes beyond the limit take no memory and stay in the sum', async t => {
  const { count, refused, take } = open(2)
  for (let made = 0; made < 1_000; made += 1) count(randomUUID(), 'webhooksAccepted')
  for (let code = 0; code < 1_000; code += 1) refused(null, `LNK_CODE_${code}`)
  const counted = take()

  t.equal(counted.length, 3)
  const { counts } = sumOf(counted)
  t.match(counts, { webhooksAccepted: 1_000, webhooksRefused: 1_000 })
  const codes = Object.entries(counts).filter(([name]) => name.startsWith('refused:'))
  t.ok(codes.length < 150)
  t.equal(codes.reduce((sum, [, times]) => sum + times, 0), 1_000)
})
