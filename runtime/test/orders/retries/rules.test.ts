import t from 'tap'
import type { JobRequest } from '../../../src/jobs/job.ts'
import { createOrderAtShop, syncOrder, updateStatusAtMarketplace } from '../../../src/orders/jobs.ts'
import { otherStatuses } from '../../../src/orders/retries/reasons.ts'
import {
  addUp,
  groupsOf,
  isRetryable,
  outcomeOf,
  retryableSql,
  type Candidate
} from '../../../src/orders/retries/rules.ts'
import type { OrderStatus } from '../../../src/orders/status.ts'

const occasion = { connectionId: 'c', key: 'k' }
const creation = createOrderAtShop.request({ orderId: 'o' }, occasion)
const reading = syncOrder.request({ externalId: '7' }, occasion)
const other = updateStatusAtMarketplace.request({ orderId: 'o', status: 'processing' }, occasion)
const enqueued = (...areNew: boolean[]) => areNew.map((isNew, index) => ({ id: String(index), isNew }))

t.test('only orders that failed or wait for a variant can be retried', async t => {
  const statuses: OrderStatus[] = [
    'pending',
    'awaiting_mapping',
    'ready',
    'created',
    'shipped',
    'delivered',
    'cancelled',
    'returned',
    'failed',
    'elsewhere'
  ]
  t.strictSame(statuses.filter(isRetryable), ['awaiting_mapping', 'failed'])
  t.equal(retryableSql, "orders.status in ('awaiting_mapping', 'failed')")
  t.strictSame(statuses.filter(status => !isRetryable(status)), [...otherStatuses])
})

t.test('an order was retried when its job is new', async t => {
  const cases: [string, readonly JobRequest[], boolean[]][] = [
    ['retried', [creation], [true]],
    ['retried', [reading], [true]],
    ['retried', [other, creation], [false, true]],
    ['already-retried', [creation], [false]],
    ['already-retried', [reading], [false]],
    ['already-retried', [other, creation], [true, false]],
    ['not-created', [], []],
    ['not-created', [other], [true]]
  ]
  for (const [outcome, jobs, areNew] of cases) t.equal(outcomeOf(jobs, enqueued(...areNew)), outcome)
})

t.test('orders are counted by marketplace, status and last problem, the largest group first', async t => {
  const order = (id: string, more: Partial<Candidate> = {}): Candidate => ({
    id,
    connectionId: 'a',
    status: 'failed',
    code: 'not-created',
    ...more
  })
  const found = [
    order('1', { code: null }),
    order('2'),
    order('3', { connectionId: 'b' }),
    order('4'),
    order('5', { status: 'awaiting_mapping', code: 'unmapped' }),
    order('6', { connectionId: 'b' }),
    order('7')
  ]

  t.strictSame(groupsOf(found), [
    { connectionId: 'a', status: 'failed', code: 'not-created', count: 3 },
    { connectionId: 'b', status: 'failed', code: 'not-created', count: 2 },
    { connectionId: 'a', status: 'failed', code: null, count: 1 },
    { connectionId: 'a', status: 'awaiting_mapping', code: 'unmapped', count: 1 }
  ])
  t.strictSame(groupsOf([]), [])
})

t.test('skipped orders are added up by reason', async t => {
  t.strictSame(
    addUp([
      { reason: 'created', count: 2 },
      { reason: 'not-created', count: 1 },
      { reason: 'ready', count: 1 },
      { reason: 'not-created', count: 3 }
    ]),
    [{ reason: 'not-created', count: 4 }, { reason: 'created', count: 2 }, { reason: 'ready', count: 1 }]
  )
  t.strictSame(addUp([]), [])
})
