import t from 'tap'
import { sumOf, withFailure, type FailureCount } from '../../src/upstream/failure-count.ts'
import { failed } from '../../src/upstream/state.ts'
import type { UpstreamState } from '../../src/upstream/stored-state.ts'

const now = 1_800_000_000_000

t.test('the failures of the last minute are counted in steps of ten seconds', t => {
  let failures: FailureCount | undefined
  for (const at of [now, now + 9_999, now + 10_000, now + 50_000]) failures = withFailure(failures, at)

  t.strictSame(failures, [
    { step: now / 10_000, count: 2 },
    { step: now / 10_000 + 1, count: 1 },
    { step: now / 10_000 + 5, count: 1 }
  ])
  t.equal(sumOf(withFailure(failures, now + 60_000)), 3)
  t.end()
})

t.test('ten failures of all processes open the breaker, if half of the requests of this one failed', t => {
  let state: UpstreamState = {}
  const fail = (failsByHalf: boolean): UpstreamState => failed(state, { failure: 'x', failsByHalf }, now)
  for (let count = 0; count < 9; count++) state = fail(true)
  t.equal(state.breaker, undefined)

  t.equal(fail(false).breaker, undefined)
  const open = fail(true)
  t.match(open.breaker, { openedAt: now, openUntil: now + 30_000, openings: 1, failure: 'x' })

  state = open
  t.equal(fail(true), open, 'a failure of a request that was under way')
  t.end()
})
