import t from 'tap'
import { canTakeOver, describeTaken } from '../../console/rules/take-over.ts'

t.test('a connection can take over that takes orders since a time only', async t => {
  const [takesOrders, ordersSince] = [true, '2026-01-31T10:00:00.000Z']

  t.equal(canTakeOver({ account: { takesOrders }, ordersSince }), true)
  t.equal(canTakeOver({ account: { takesOrders }, ordersSince: null }), false, 'it makes all orders')
  t.equal(canTakeOver({ account: { takesOrders: false }, ordersSince }), false, 'another one takes the orders')
  t.equal(canTakeOver({ account: null, ordersSince }), false, 'nobody knows its account')
})

t.test('the sentence names only rows that there were', async t => {
  const taken = [{ what: 'orders', count: 3 }, { what: 'links of offers', count: 0 }, { what: 'cursors', count: 1 }]

  t.equal(describeTaken('New', taken), '“New” took over orders (3), cursors (1).')
  t.equal(describeTaken('New', []), 'There was nothing left to take over.')
})
