import t from 'tap'
import { createCallTrail, type Tracing } from '../../../src/jobs/queue/call-trail.ts'

function trailOf (count: number, tracing: Exclude<Tracing, 'off'> = 'all') {
  const trail = createCallTrail(tracing)
  for (let n = 1; n <= count; n++) {
    trail.note({ at: '2026-01-01T00:00:00.000Z', method: 'GET', path: `/${n}`, status: 200, ms: n })
  }
  return trail
}

function pathsOf (count: number, ending: 'succeeded' | 'failed') {
  const { calls = [], callsLeftOut } = trailOf(count).kept(ending) ?? {}
  return { paths: calls.map(({ path }) => Number(path.slice(1))), callsLeftOut }
}

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n)

t.test('an attempt keeps up to 8 requests when it succeeded, 20 when it failed', async t => {
  t.strictSame(pathsOf(1, 'succeeded'), { paths: [1], callsLeftOut: undefined })
  t.strictSame(pathsOf(8, 'succeeded'), { paths: upTo(8), callsLeftOut: undefined })
  t.strictSame(pathsOf(20, 'failed'), { paths: upTo(20), callsLeftOut: undefined })
})

t.test('of more requests it keeps the first and the last, and how many were between them', async t => {
  t.strictSame(pathsOf(9, 'succeeded'), { paths: [1, 2, 3, 4, 6, 7, 8, 9], callsLeftOut: 1 })
  t.strictSame(pathsOf(20, 'succeeded'), { paths: [1, 2, 3, 4, 17, 18, 19, 20], callsLeftOut: 12 })
  t.strictSame(pathsOf(21, 'failed'), { paths: [...upTo(10), ...upTo(21, 12)], callsLeftOut: 1 })
  t.strictSame(pathsOf(5_000, 'succeeded'), { paths: [1, 2, 3, 4, ...upTo(5_000, 4_997)], callsLeftOut: 4_992 })
  t.strictSame(pathsOf(5_000, 'failed'), { paths: [...upTo(10), ...upTo(5_000, 4_991)], callsLeftOut: 4_980 })
})

t.test('without requests it keeps nothing, nor a success when only failures are traced', async t => {
  t.equal(trailOf(0).kept('failed'), undefined)
  t.equal(trailOf(3, 'failures').kept('succeeded'), undefined)
  t.equal(trailOf(3, 'failures').kept('failed')?.calls?.length, 3)
})
