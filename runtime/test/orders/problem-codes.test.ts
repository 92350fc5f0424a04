import t from 'tap'
import { hasProblem, isAboutSharedLines, withoutRepeats, type OrderProblem } from '../../src/orders/problem-codes.ts'

const held: OrderProblem = { code: 'held-back', detail: 'order 1' }
const shared: OrderProblem = { code: 'shared-lines', detail: 'order 1' }
const other: OrderProblem = { code: 'held-back', detail: 'order 2' }

t.test('two problems are the same when both their code and their detail are', async t => {
  t.equal(hasProblem([shared, held], { ...held }), true)
  t.equal(hasProblem([shared, other], held), false)
  t.equal(hasProblem([], held), false)
})

t.test('each problem is kept once, where it came first', async t => {
  t.strictSame(withoutRepeats([held, shared, { ...held }, other, { ...shared }]), [held, shared, other])
})

t.test('problems of shared lines are told by their code', async t => {
  t.strictSame([held, shared, other].filter(isAboutSharedLines), [shared])
})
