import t from 'tap'
import { createLogBudget } from '../../src/http/log-budget.ts'

function open (perSecond: number) {
  let nowMs = 0
  const budget = createLogBudget({ perSecond, nowMs: () => nowMs })
  return {
    take: budget.take,
    pass (ms: number) {
      nowMs += ms
    }
  }
}

t.test('beyond the budget of a second lines are held back and counted', async t => {
  const { take, pass } = open(2)

  t.strictSame([take('401'), take('401'), take('401'), take('401')], [
    { isAllowed: true, heldBack: 0 },
    { isAllowed: true, heldBack: 0 },
    { isAllowed: false, heldBack: 1 },
    { isAllowed: false, heldBack: 2 }
  ])
  pass(999)
  t.strictSame(take('401'), { isAllowed: false, heldBack: 3 })
})

t.test('the first line of a new second tells the count once', async t => {
  const { take, pass } = open(1)
  take('401')
  take('401')
  pass(1_000)

  t.strictSame(take('401'), { isAllowed: true, heldBack: 1 })
  pass(1_000)
  t.strictSame(take('401'), { isAllowed: true, heldBack: 0 })
})

t.test('a second begins with its first line, and not with the clock', async t => {
  const { take, pass } = open(1)
  pass(900)
  take('401')
  pass(999)
  t.equal(take('401').isAllowed, false)
  pass(1)

  t.equal(take('401').isAllowed, true)
})

t.test('each key has a budget of its own', async t => {
  const { take } = open(1)
  take('401')
  take('401')

  t.strictSame(take('404'), { isAllowed: true, heldBack: 0 })
})
