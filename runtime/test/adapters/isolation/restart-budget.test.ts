import t from 'tap'
import { createRestartBudget } from '../../../src/adapters/isolation/restart-budget.ts'

function open (most: number) {
  let nowMs = 0
  return {
    ...createRestartBudget({ most, windowMs: 60_000, now: () => nowMs }),
    pass (ms: number) {
      nowMs += ms
    }
  }
}

t.test('so many deaths in a window are allowed, and the next is too many', async t => {
  const { spend } = open(3)

  t.strictSame([spend(), spend(), spend(), spend()], [true, true, true, false])
})

t.test('the window slides: each death is forgotten at its own time', async t => {
  const { spend, pass } = open(2)
  spend()
  pass(30_000)
  spend()
  pass(29_999)
  t.equal(spend(), false)
  pass(30_001)

  t.equal(spend(), true, 'the first two are forgotten, the third is not')
  t.equal(spend(), false)
})

t.test('an adapter counts as restarted lately until its last death is forgotten', async t => {
  const { spend, isTouched, pass } = open(1)
  t.equal(isTouched(), false)
  spend()
  pass(59_999)
  t.equal(isTouched(), true)
  pass(1)

  t.equal(isTouched(), false)
})
