import t from 'tap'
import { opened, reopened, withoutProbe, type Breaker } from '../../src/upstream/breaker.ts'

const now = 1_000_000

t.test('a breaker opens for 30 s, and twice as long after each failed probe, at most 10 minutes', t => {
  let breaker = opened(undefined, 'first', now)
  const openSeconds = [(breaker.openUntil - now) / 1_000]
  for (let probes = 0; probes < 6; probes++) {
    breaker = reopened(breaker, 'again', now)
    openSeconds.push((breaker.openUntil - now) / 1_000)
  }

  t.strictSame(openSeconds, [30, 60, 120, 240, 480, 600, 600])
  t.strictSame([breaker.openings, breaker.openedAt, breaker.failure], [7, now, 'again'])
  t.end()
})

t.test('a failure of a request that was under way does not open an open breaker again', t => {
  const breaker = opened(undefined, 'first', now)
  t.equal(opened(breaker, 'later', now + 1_000), breaker)
  t.end()
})

t.test('a probe that sent nothing is taken back', t => {
  const breaker: Breaker = { openedAt: 1, openUntil: 2, openings: 1, failure: 'x' }
  t.strictSame(withoutProbe({ ...breaker, probe: { callId: 'a', until: 3 } }), breaker)
  t.end()
})
