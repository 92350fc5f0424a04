import t from 'tap'
import { watchStart } from '../../src/observability/start-steps.ts'

t.test('each step has its time once it has ended, and is told when it begins', async t => {
  const told: string[] = []
  const start = watchStart(step => told.push(step), 12.4)
  start.begin('one')
  start.begin('two')
  t.strictSame(start.steps().map(({ step }) => step), ['loading the hub', 'one'])
  t.equal(start.steps()[0]?.ms, 12)
  start.end()
  start.end()

  t.strictSame(start.steps().map(({ step }) => step), ['loading the hub', 'one', 'two'])
  t.ok(start.steps().every(({ ms }) => Number.isInteger(ms) && ms >= 0))
  t.strictSame(told, ['one', 'two'])
})
