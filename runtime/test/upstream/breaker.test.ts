import t from 'tap'
import { opened, reopened, type Breaker } from '../../src/upstream/breaker.ts'
import { withoutProbeOf } from '../../src/upstream/state.ts'

const now = 1_000_000

t.test('a breaker opens for 30 s, after each failed probe, too: after an outage the hub is soon back', t => {
  let breaker = opened('first', now)
  const openSeconds = [(breaker.openUntil - now) / 1_000]
  for (let probes = 0; probes < 6; probes++) {
    breaker = reopened(breaker, 'again', now)
    openSeconds.push((breaker.openUntil - now) / 1_000)
  }

  t.strictSame(openSeconds, [30, 30, 30, 30, 30, 30, 30])
  t.strictSame([breaker.openings, breaker.openedAt, breaker.failure], [7, now, 'again'])
  t.end()
})

t.test('a probe that sent nothing is taken back by its own call only', t => {
  const breaker: Breaker = { openedAt: 1, openUntil: 2, openings: 1, failure: 'x' }
  const probing = { breaker: { ...breaker, probe: { callId: 'a', until: 3 } } }

  t.strictSame(withoutProbeOf(probing, 'a'), { breaker })
  t.equal(withoutProbeOf(probing, 'b'), probing)
  t.end()
})
