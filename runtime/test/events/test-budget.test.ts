import t from 'tap'
import { createTestBudget } from '../../src/events/test-budget.ts'

t.test('ten events of tests are kept for each connection and minute', async t => {
  let nowMs = Date.parse('2026-01-31T12:00:00Z')
  const { admits } = createTestBudget(() => new Date(nowMs))
  const count = (connectionId: string): number =>
    Array.from({ length: 50 }, () => admits(connectionId)).filter(Boolean).length

  t.strictSame([count('a'), count('b'), count('a')], [10, 10, 0])
  nowMs += 60_000
  t.strictSame([count('a'), count('b')], [10, 10])
})

t.test('a flood of connections fills no memory, and takes nothing from those that are known', async t => {
  const { admits } = createTestBudget(() => new Date(0))
  for (let index = 0; index < 10_000; index++) admits(`connection-${index}`)

  t.notOk(admits('another'))
  t.ok(admits('connection-1'))
})
