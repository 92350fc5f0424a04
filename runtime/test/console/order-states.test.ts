import t from 'tap'
import {
  canCancel,
  canForget,
  canRetry,
  canSettle,
  describeDetail,
  firstOf,
  orderStatuses,
  railOf,
  toneOfOrder,
  waitsFor
} from '../../console/rules/order-states.ts'
import { retryableStatuses } from '../../src/orders/retries/reasons.ts'
import { OrderQuery } from '../../src/orders/schemas.ts'
import { isEnded } from '../../src/orders/status.ts'

const statuses = OrderQuery.properties.status.anyOf.map(({ const: status }) => status)

t.test('the filter offers the states of the hub', async t => {
  t.same(orderStatuses.map(([status]) => status).toSorted(), statuses.toSorted())
})

t.test('the way of an order shows where it is, and where a failed one left it', async t => {
  const marked = (status: string): string[] => railOf(status).map(({ name, state }) => `${name} ${state}`)

  t.strictSame(marked('created'), ['pending past', 'ready past', 'created now', 'shipped next', 'delivered next'])
  t.strictSame(marked('awaiting_mapping').slice(0, 3), ['pending past', 'awaiting_mapping troubled', 'ready next'])
  t.strictSame(marked('failed').slice(0, 4), ['pending past', 'ready past', 'failed stopped', 'created next'])
  t.strictSame(marked('cancelled'), ['pending past', 'cancelled stopped'])
  t.strictSame(marked('elsewhere'), ['pending past', 'elsewhere now'])
  for (const status of statuses) {
    t.equal(railOf(status).filter(({ state }) => state !== 'past' && state !== 'next').length, 1, status)
  }
})

t.test('an order with a problem looks well nowhere, and the problem can be settled', async t => {
  const problems = ['it was cancelled in the shop, not at the marketplace']
  for (const status of statuses) {
    t.not(toneOfOrder(status, problems), 'good', status)
    t.equal(railOf(status, problems).some(({ state }) => state === 'now'), status === 'elsewhere', status)
    t.equal(canSettle(status, problems), !canRetry(status), status)
    t.notOk(canSettle(status, []))
  }
  t.equal(toneOfOrder('created', []), 'good')
})

t.test('an order that stands still says what it waits for', async t => {
  const order = { lines: [{ variantId: null }, { variantId: 'v' }], problems: [] }

  t.match(waitsFor({ ...order, status: 'awaiting_mapping' }), /one line has no variant/)
  t.match(waitsFor({ ...order, status: 'ready', problems: ['no shop'] }), /a person/)
  t.match(
    waitsFor({ ...order, status: 'elsewhere', handledElsewhere: 'a warehouse of the marketplace ships it' }),
    /the shop does not get it: a warehouse/
  )
  for (const status of statuses) {
    t.equal(waitsFor({ ...order, status }) === undefined, isEnded(status) || status === 'created')
  }
})

t.test('the buttons follow the rules of the hub', async t => {
  t.same(statuses.filter(status => canRetry(status)).toSorted(), [...retryableStatuses, 'elsewhere'].toSorted())
  t.notOk(canRetry('elsewhere', 'a warehouse of the marketplace ships it'))
  for (const status of statuses) t.equal(canForget(status, null), isEnded(status), status)
  t.notOk(canForget('delivered', '2026-01-31T10:00:00.000Z'))
  t.same(statuses.filter(status => canCancel(status, [])), [
    'pending',
    'awaiting_mapping',
    'ready',
    'created',
    'failed'
  ])
  t.ok(canCancel('cancelled', ['the shop has shipped it']))
})

t.test('an entry of the history is one text', async t => {
  t.equal(describeDetail({ by: 'operator', lines: [1] }), 'by operator, lines [1]')
  t.equal(describeDetail({ externalId: '7' }), 'external id 7')
  t.equal(
    describeDetail({ explanation: 'The shop dispatches it', processorKind: 'omp_fulfilled' }),
    'The shop dispatches it'
  )
  t.equal(describeDetail({ processorKind: 'omp_fulfilled' }), 'processor kind omp_fulfilled')
})

t.test('a list shows the first problem and counts the others', async t => {
  t.equal(firstOf([]), '')
  t.equal(firstOf(['no shop']), 'no shop')
  t.equal(firstOf(['no shop', 'kept', 'gone']), 'no shop (and 2 more)')
})
