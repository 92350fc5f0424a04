import t from 'tap'
import type { LineRow } from '../../../src/orders/lines/store.ts'
import { toNewOrder } from '../../../src/orders/shop/new-order.ts'
import type { OrderRow } from '../../../src/orders/store.ts'
import { orderOf } from '../journal.ts'

const price = { amount: '10.00', currency: 'PLN' }
const placed = (externalId: string) => ({ externalId, name: `line ${externalId}`, quantity: 2, unitPrice: price })
const snapshot = orderOf('o1', {
  lines: [placed('b'), placed('a')],
  extras: [{ kind: 'deposit', name: 'Deposit', price }],
  fulfilment: 'seller',
  comment: 'Ring twice'
})
const order: OrderRow = {
  id: 'id',
  connectionId: 'market',
  externalId: 'o1',
  status: 'ready',
  sourceStatus: 'processing',
  upstreamStatus: null,
  revision: '1',
  snapshot,
  readBy: null,
  handedOn: null,
  problems: [],
  destinationConnectionId: 'shop',
  destinationExternalId: null,
  destinationStatus: null,
  creationBegunAt: null,
  searchedSince: null,
  tracking: null,
  unknownSince: null,
  isUnknownForLong: false,
  isReleased: false,
  personalDataRemovedAt: null
}
const mapped = (externalId: string, more: Partial<LineRow> = {}): LineRow => ({
  externalId,
  offerExternalId: null,
  quantity: 1,
  variantId: `variant of ${externalId}`,
  variantExternalId: `v-${externalId}`,
  productExternalId: `p-${externalId}`,
  masterId: 'shop',
  ...more
})

t.test('the shop gets the order as the buyer placed it, with its own ids of the variants', async t => {
  const { lines, source, ...rest } = toNewOrder(order, [mapped('a'), mapped('b'), mapped('removed')], 'market')
  const { lines: _placed, fulfilment: _fulfilment, ...expected } = snapshot

  t.strictSame(rest, expected)
  t.strictSame(lines, [
    { ...placed('b'), productExternalId: 'p-b', variantExternalId: 'v-b' },
    { ...placed('a'), productExternalId: 'p-a', variantExternalId: 'v-a' }
  ])
  t.strictSame(source, { connectionId: 'market', platformType: 'market' })
})

t.test('an order without the variant of a line is not made', async t => {
  t.throws(() => toNewOrder(order, [mapped('a')], 'market'), /line b /)
  for (const member of ['productExternalId', 'variantExternalId']) {
    t.throws(() => toNewOrder(order, [mapped('a', { [member]: null }), mapped('b')], 'market'), /line a /)
  }
})
