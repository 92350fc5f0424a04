import t from 'tap'
import { advance, isReserving, nextStatus, type OrderStatus, type SourceStatus } from '../../src/orders/status.ts'

const known = (status: OrderStatus, isAtDestination = false, sourceStatus: SourceStatus = 'processing') => ({
  status,
  isAtDestination,
  sourceStatus
})

t.test('a first reading leads to the shop only when the order is paid and every line is known', async t => {
  t.equal(nextStatus(undefined, 'pending', true), 'pending')
  t.equal(nextStatus(undefined, 'processing', true), 'ready')
  t.equal(nextStatus(undefined, 'processing', false), 'awaiting_mapping')
  t.equal(nextStatus(undefined, 'cancelled', false), 'cancelled')
  t.equal(nextStatus(undefined, 'shipped', true), 'shipped', 'somebody else sent it: the shop does not get it')
})

t.test('a cancelled order stays cancelled, whatever a later reading says', async t => {
  for (const source of ['pending', 'processing', 'shipped', 'cancelled'] as const) {
    t.equal(nextStatus(known('cancelled'), source, true), 'cancelled')
  }
  t.equal(nextStatus(known('created', true), 'cancelled', true), 'cancelled')
})

t.test('an order that was cancelled because it was gone comes back like a new one', async t => {
  const gone = known('cancelled', false, 'gone')
  t.equal(nextStatus(gone, 'pending', true), 'pending')
  t.equal(nextStatus(gone, 'processing', true), 'ready')
  t.equal(nextStatus(gone, 'shipped', true), 'shipped')
  t.equal(nextStatus(gone, 'cancelled', true), 'cancelled')
  t.equal(nextStatus(gone, 'processing', false), 'awaiting_mapping')
})

t.test('an order never goes back in its progress', async t => {
  t.equal(nextStatus(known('shipped', true), 'processing', true), 'shipped')
  t.equal(nextStatus(known('created', true), 'shipped', true), 'shipped')
  t.equal(nextStatus(known('failed'), 'processing', true), 'failed', 'only a retry leaves a failure')
  t.equal(advance('delivered', 'shipped'), 'delivered')
  t.equal(advance('created', 'shipped'), 'shipped')
  t.equal(advance('cancelled', 'shipped'), 'cancelled')
})

t.test('pieces are reserved until the shop has taken them off or the order is cancelled', async t => {
  t.strictSame(
    (['pending', 'awaiting_mapping', 'ready', 'failed'] as const).map(status => isReserving(status, false)),
    [true, true, true, true]
  )
  t.strictSame(
    (['created', 'cancelled', 'returned', 'shipped'] as const).map(status => isReserving(status, true)),
    [false, false, false, false]
  )
  t.equal(isReserving('cancelled', false), false)
})
