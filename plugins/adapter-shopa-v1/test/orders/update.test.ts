import { AdapterErrorCode, type Address } from '@linker/sdk'
import t from 'tap'
import { openFakeShop, rows, type Reply, type Sent } from './fake-shop.ts'

const { outcomeUnknown } = AdapterErrorCode
const address: Address = {
  firstName: 'Anna',
  lastName: 'Nowak',
  street: 'Prosta 1',
  postcode: '00-001',
  city: 'Warszawa',
  country: 'PL'
}
const moved: Address = { ...address, street: 'Polna 2', postcode: '30-001', city: 'Krakow' }
const stored = {
  id: 5,
  id_customer: '12',
  id_country: '14',
  firstname: 'Anna',
  lastname: 'Nowak',
  address1: 'Prosta 1',
  address2: 'Pickup point POZ08A, staircase B',
  postcode: '00-001',
  city: 'Warszawa'
}

type Test = Parameters<typeof openFakeShop>[0]

/** A shop that keeps what is written, with an order in a state. */
function openShop (
  t: Test,
  { state = '2', patches = true, loses = [] as string[], keeps = true, invoice = '5' } = {}
) {
  const order: Record<string, unknown> = {
    ...rows.orderRow,
    current_state: state,
    id_address_delivery: '5',
    id_address_invoice: invoice,
    module: 'wire'
  }
  const addresses: Record<string, unknown>[] = [{ ...stored }]
  const messages: Record<string, unknown>[] = []
  const lost = new Set(loses)
  const membersOf = ({ body }: Sent) =>
    Object
      .fromEntries([...body.matchAll(/<(\w+)><!\[CDATA\[([^\]]*)\]\]><\/\1>/g)].map(
        ([, name = '', value]) => [name, value]
      ))
  const add = (name: string, table: Record<string, unknown>[], first: number) => (sent: Sent): Reply | 'lost' => {
    const row = { id: first + table.length, ...membersOf(sent) }
    table.push(row)
    return lost.delete(name) ? 'lost' : [201, { [name]: row }]
  }
  const write = (sent: Sent): Reply | 'lost' => {
    if (keeps) Object.assign(order, membersOf(sent))
    return lost.delete('order') ? 'lost' : [200, { order }]
  }
  const shop = openFakeShop(t, {
    answers: {
      'GET orders': () => [200, { orders: [order] }],
      'GET addresses': () => [200, { addresses }],
      'POST addresses': add('address', addresses, 80),
      'GET messages': () => [200, messages.length === 0 ? [] : { messages }],
      'POST messages': add('message', messages, 90),
      'PATCH orders': sent => patches ? write(sent) : [405, { errors: [{ code: 25, message: 'not permitted' }] }],
      'PUT orders': write
    }
  })
  return { ...shop, order, addresses, messages }
}

const wanted = {
  address: { from: address, to: moved },
  comment: { from: 'Ring', to: 'Knock <b>twice</b>' },
  lines: [{ to: { externalId: '1', name: 'Mug', quantity: 1, unitPrice: { amount: '1.00', currency: 'PLN' } } }],
  total: { from: { amount: '1.00', currency: 'PLN' }, to: { amount: '2.00', currency: 'PLN' } }
}
const fixed = ['lines', 'total'].map(what => ({ what, reason: 'the shop does not change them in an order' }))

t.test('an order gets a new address and a message, and lines and total are left to a person', async t => {
  const { orders, order, addresses, messages, bodies } = openShop(t)

  t.same(await orders.updateOrder('5', wanted), { notApplied: fixed })

  t.match(addresses.slice(1), [{
    id_customer: '12',
    alias: /^ship-/,
    address1: 'Polna 2',
    address2: 'Pickup point POZ08A',
    city: 'Krakow'
  }])
  t.same(bodies('PATCH orders/5'), [{ id: '5', id_address_delivery: '81', id_address_invoice: '81' }])
  t.match(order, { id_address_delivery: '81', id_address_invoice: '81' })
  t.match(messages, [{
    id_order: '5',
    id_customer: '12',
    private: '0',
    message: /^The buyer changed .*: Knock  b twice/
  }])
})

t.test('a repeat writes nothing, also after a lost answer', async t => {
  for (const loses of [[], ['address'], ['order'], ['message']]) {
    const { orders, bodies, addresses, messages } = openShop(t, { loses })
    // A write that may be repeated is repeated at once.
    await orders.updateOrder('5', wanted).catch((error: unknown) => t.match(error, { code: outcomeUnknown }))
    t.same(await orders.updateOrder('5', wanted), { notApplied: fixed })
    const writes = bodies('POST').length + bodies('PATCH').length
    t.same(await orders.updateOrder('5', wanted), { notApplied: fixed })
    t.equal(bodies('POST').length + bodies('PATCH').length, writes)
    t.same([addresses.length, messages.length], [2, 1], loses.join())
  }
})

t.test('an invoice address of its own stays when the buyer moves', async t => {
  const { orders, order, bodies } = openShop(t, { invoice: '6' })

  t.same(await orders.updateOrder('5', { address: wanted.address }), { notApplied: [] })
  t.same(bodies('PATCH orders/5'), [{ id: '5', id_address_delivery: '81' }])
  t.match(order, { id_address_delivery: '81', id_address_invoice: '6' })
})

t.test('the invoice address has a row of its own', async t => {
  const { orders, order } = openShop(t)

  t.same(await orders.updateOrder('5', { invoiceAddress: { to: { ...moved, company: 'ACME' } } }), { notApplied: [] })
  t.match(order, { id_address_delivery: '5', id_address_invoice: '81' })
})

t.test('another pickup point stands in the second line of the address, and the rest stays', async t => {
  const { orders, addresses, order, messages } = openShop(t)
  const pickupPointId = { from: 'POZ08A', to: 'KRA01' }

  t.same(await orders.updateOrder('5', { pickupPointId }), { notApplied: [] })
  t.match(addresses[1], { address1: 'Prosta 1', address2: 'Pickup point KRA01, staircase B', lastname: 'Nowak' })
  await orders.updateOrder('5', { pickupPointId: { from: 'KRA01' }, address: wanted.address })
  t.match(addresses[2], { address1: 'Polna 2', address2: '' })
  t.equal(order.id_address_delivery, '82')
  t.same(messages.map(({ message }) => message), ['Pickup point is now KRA01', 'Pickup point is now none'])
})

t.test('the newest message names the pickup point, also when the buyer comes back to the first one', async t => {
  const { orders, messages } = openShop(t)
  for (const to of ['KRA01', 'KRA01', 'POZ08A', 'KRA01', 'KRA01']) {
    await orders.updateOrder('5', { pickupPointId: { to } })
  }
  for (const to of ['Ring', '', '', 'Ring']) await orders.updateOrder('5', { comment: { to } })

  t.same(messages.map(({ message }) => message), [
    ...['KRA01', 'POZ08A', 'KRA01'].map(id => `Pickup point is now ${id}`),
    ...[' Ring', '', ' Ring'].map(comment => `The buyer changed the comment:${comment}`)
  ])
})

t.test('a pickup point that the validators of the shop refuse is written as they accept it', async t => {
  const { orders, addresses, messages, bodies } = openShop(t)
  const long = 'Z'.repeat(150)

  for (const to of ['POZ_08', 'POZ_08', long, long]) {
    t.same(await orders.updateOrder('5', { pickupPointId: { to } }), { notApplied: [] })
  }
  t.same(addresses.slice(1).map(({ address2 }) => address2), [
    'Pickup point POZ 08, staircase B',
    `Pickup point ${long}`.slice(0, 128)
  ])
  t.equal(messages.length, 2)
  t.equal(bodies('POST addresses').length, 2)
})

t.test('a pickup point that staff cannot read is returned once', async t => {
  const { orders, table, order, addresses } = openShop(t)
  table['POST messages'] = [401, { errors: [{ code: 26, message: 'no' }] }]
  const pickupPointId = { to: 'KRA01' }

  t.match((await orders.updateOrder('5', { pickupPointId, address: wanted.address })).notApplied, [
    { what: 'pickupPointId', reason: /POST messages/ }
  ])
  t.match([addresses[1], order], [{ address2: 'Pickup point KRA01' }, { id_address_delivery: '81' }])

  table['GET countries'] = [200, []]
  t.match((await orders.updateOrder('5', { pickupPointId, address: { to: { ...moved, country: 'DE' } } })).notApplied, [
    { what: 'pickupPointId', reason: /^Country DE/ },
    { what: 'address', reason: /^Country DE/ }
  ])
})

t.test('a shop without PATCH gets the whole order', async t => {
  const { orders, bodies, order } = openShop(t, { patches: false })

  await orders.updateOrder('5', { address: wanted.address, invoiceAddress: { to: moved } })
  t.match(bodies('PUT orders/5'), [
    { id: '5', id_address_delivery: '81', id_address_invoice: '5', module: 'wire', id_cart: '9' },
    { id_address_delivery: '81' }
  ])
  t.equal(bodies('PUT').length, 2)
  t.match(order, { id_address_delivery: '81', module: 'wire' })
})

t.test('an order that is shipped or cancelled is not changed', async t => {
  for (
    const [state, status] of [['4', 'shipped'], ['5', 'delivered'], ['6', 'cancelled'], ['7', 'returned']] as const
  ) {
    const { orders, bodies } = openShop(t, { state })
    const { notApplied } = await orders.updateOrder('5', wanted)
    t.same(notApplied.map(({ what }) => what), Object.keys(wanted))
    t.equal(notApplied[0]?.reason, `the order is ${status} in the shop`)
    t.same([bodies('POST'), bodies('PATCH'), bodies('PUT')], [[], [], []], status)
  }
})

t.test('what the shop does not take is returned, and the rest is written', async t => {
  const { orders, messages, table } = openShop(t)
  table['GET countries'] = [200, { countries: [{ id: 1, iso_code: 'DE', active: '0' }] }]
  const { notApplied } = await orders.updateOrder('5', {
    address: { to: { ...moved, country: 'DE' } },
    comment: wanted.comment
  })
  t.same(notApplied, [{ what: 'address', reason: 'Country DE not found / not active' }])
  t.equal(messages.length, 1)

  const deaf = openShop(t, { keeps: false })
  const answer = await deaf.orders.updateOrder('5', { address: wanted.address })
  t.match(answer.notApplied, [{ what: 'address', reason: /still shows the old one/ }])
})

t.test('an order that is gone is not found', async t => {
  const { orders } = openFakeShop(t, { answers: { 'GET orders': [200, []] } })

  await t.rejects(orders.updateOrder('99', wanted), { code: AdapterErrorCode.notFound })
})
