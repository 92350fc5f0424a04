import t from 'tap'
import type { RetryObstacle } from '../../../src/jobs/operation/obstacles.ts'
import { sumPlan } from '../../../src/jobs/redrive/sum-plan.ts'

const group = (connectionId: string | null, count: number, jobType = 'state.sync', code = 'LNK_ADAPTER_TRANSIENT') => ({
  connectionId,
  jobType,
  code,
  count
})

t.test('nothing matches', async t => {
  t.strictSame(sumPlan([], [], () => undefined), { matched: 0, eligible: 0, skipped: [] })
})

t.test('all jobs of groups without an obstacle are eligible', async t => {
  t.strictSame(sumPlan([group('a', 3), group(null, 4)], [], () => undefined), { matched: 7, eligible: 7, skipped: [] })
})

t.test('obstacles and named jobs that are not dead are counted by reason, the most first', async t => {
  const obstacles = new Map<string | null, RetryObstacle>([['b', 'connection-disabled'], ['c', 'type-unknown']])
  const summed = sumPlan(
    [group('a', 500), group('b', 3), group('b', 4, 'command.run'), group('c', 9)],
    [{ reason: 'not-dead', count: 8 }],
    ({ connectionId }) => obstacles.get(connectionId)
  )
  t.strictSame(summed, {
    matched: 524,
    eligible: 500,
    skipped: [
      { reason: 'type-unknown', count: 9 },
      { reason: 'not-dead', count: 8 },
      { reason: 'connection-disabled', count: 7 }
    ]
  })
})
