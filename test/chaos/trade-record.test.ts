import t from 'tap'
import { judgeTrade, type ItemFacts, type OfferFacts, type OrderFacts, type Side } from './trade-record.ts'

const side: Side = {
  status: 'shipped',
  address: 'Anna Nowak, ul. Prosta 1, 00-001 Warszawa, PL',
  lines: '2 of 101',
  total: '219.99',
  currency: 'PLN',
  payment: 'paid',
  carrier: '2',
  tracking: 'dpd 123'
}
const other: Side = {
  status: 'delivered',
  address: 'Anna Nowak, ul. Krzywa 9, 00-001 Warszawa, PL',
  lines: '3 of 101',
  total: '220.00',
  currency: 'EUR',
  payment: 'on delivery',
  carrier: '0',
  tracking: ''
}
const order = (members: Partial<OrderFacts> = {}): OrderFacts => ({
  market: 'A',
  id: 'a1',
  atMarket: side,
  atHub: { ...side, hubId: 'h1', problems: [] },
  atShop: side,
  ...members
})
const troubled = { ...side, hubId: 'h1', problems: ['somebody should look'] }
const offer: OfferFacts = { market: 'B', id: 'b1', hubId: 'o1', wanted: 5, shown: 5, problems: [] }
const item = (code: string, about = ['h1']): ItemFacts => ({ kind: 'troubled-orders', code, title: code, about })
const judge = (of: { orders?: OrderFacts[], offers?: OfferFacts[], items?: ItemFacts[], strays?: string[] }) =>
  judgeTrade({ orders: [], offers: [], items: [], strays: [], ...of })
const found = (of: Parameters<typeof judge>[0]) => {
  const { differences, silent, unfounded } = judge(of)
  return { differences: differences.map(({ member }) => member), silent: silent.length, unfounded: unfounded.length }
}
const nothing = { differences: [], silent: 0, unfounded: 0 }

t.test('an order and an offer on which all parties agree are no finding', async t => {
  t.strictSame(found({ orders: [order()], offers: [offer] }), nothing)
})

t.test('each member that one party says differently is a difference', async t => {
  for (const member of Object.keys(side) as (keyof Side)[]) {
    const changed = { ...side, [member]: other[member] }
    const wrong = { differences: [member], silent: 1, unfounded: 0 }
    t.strictSame(found({ orders: [order({ atShop: changed })] }), wrong, `${member} in the shop`)
    t.strictSame(found({ orders: [order({ atMarket: changed })] }), wrong, `${member} at the marketplace`)
    t.strictSame(found({ orders: [order({ atHub: { ...troubled, ...changed, problems: [] } })] }), wrong, member)
  }
})

t.test('an order that a party does not have is a difference, and so is one too many', async t => {
  const { atHub: _, ...unknown } = order()
  const { atShop: __, ...unmade } = order()

  t.strictSame(found({ orders: [unknown] }), { differences: ['known'], silent: 1, unfounded: 0 })
  t.strictSame(found({ orders: [unmade] }), { differences: ['made'], silent: 1, unfounded: 0 })
  t.strictSame(found({ strays: ['77'] }), { differences: ['stray'], silent: 1, unfounded: 0 })
})

t.test('an offer that shows another quantity, or none, is a difference', async t => {
  const wrong = { differences: ['quantity'], silent: 1, unfounded: 0 }

  t.strictSame(found({ offers: [{ ...offer, shown: 6 }] }), wrong)
  t.strictSame(found({ offers: [{ ...offer, shown: undefined }] }), wrong)
})

t.test('a cancelled order must be cancelled everywhere, and its other members do not count', async t => {
  const cancelled: Side = { ...side, status: 'cancelled' }
  const atHub = { ...cancelled, hubId: 'h1', problems: [] }
  const { atShop: _, ...unmade } = order({ atMarket: cancelled, atHub })

  t.strictSame(found({ orders: [unmade] }), nothing)
  t.strictSame(found({ orders: [order({ atMarket: cancelled, atHub, atShop: { ...other, status: 'cancelled' } })] }), {
    ...nothing
  })
  t.match(found({ orders: [order({ atMarket: cancelled, atHub })] }), { differences: ['status'] })
  t.match(found({ orders: [order({ atMarket: cancelled, atHub, atShop: { ...side, tracking: 'dpd 4' } })] }), {
    differences: ['status', 'tracking']
  }, 'the shop ships it all the same')
  t.match(found({ orders: [order({ atShop: { ...other, status: 'cancelled' } })] }), { differences: ['status'] })
})

t.test('a difference is told by a problem together with an item that is about it', async t => {
  const wrong = { ...side, address: other.address }
  const told = order({ atHub: troubled, atShop: wrong })
  const silence = { differences: ['address'], silent: 1 }

  t.strictSame(found({ orders: [told], items: [item('LNK_ORDER_CHANGED')] }), {
    differences: ['address'],
    silent: 0,
    unfounded: 0
  })
  t.match(found({ orders: [told] }), silence, 'a problem alone')
  t.match(found({ orders: [order({ atShop: wrong })], items: [item('LNK_ORDER_CHANGED')] }), silence, 'an item alone')
  t.match(found({ orders: [told], items: [item('LNK_ORDER_CHANGED', ['h2'])] }), silence, 'an item of another order')
  t.match(found({ orders: [told], items: [item('shipped-not-told')] }), silence, 'an item of something else')
  t.match(found({ orders: [told], items: [{ ...item(''), kind: 'dead-jobs' }] }), silence, 'a dead job')
})

t.test('the item of a refused quantity tells of the offer', async t => {
  const refused = { ...offer, shown: 6, problems: ['the marketplace refused 5'] }
  const items = [{ kind: 'refused-quantities', title: '1 offer', about: ['o1'] }]

  t.strictSame(found({ offers: [refused], items }), { differences: ['quantity'], silent: 0, unfounded: 0 })
  t.strictSame(found({ offers: [{ ...refused, shown: 5 }], items }), { differences: [], silent: 0, unfounded: 2 })
})

t.test('a problem without a difference is unfounded, and so is an item', async t => {
  t.strictSame(found({ orders: [order({ atHub: troubled })] }), { ...nothing, unfounded: 1 })
  t.strictSame(found({ offers: [{ ...offer, problems: ['late'] }] }), { ...nothing, unfounded: 1 })
  t.strictSame(found({ items: [item('shipped-not-told')] }), { ...nothing, unfounded: 1 })
  t.strictSame(found({ items: [{ kind: 'breaker-open', title: 'The shop is away', about: [] }] }), {
    ...nothing,
    unfounded: 1
  })
})
