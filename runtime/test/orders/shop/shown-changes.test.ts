import type { Address, Order } from '@linker/sdk'
import t from 'tap'
import { shownChanges } from '../../../src/orders/shop/shown-changes.ts'
import { orderOf } from '../journal.ts'

const address: Address = {
  firstName: 'Anna',
  lastName: 'Nowak',
  company: 'Kubki',
  phone: '+48 600 100 200',
  street: 'ul. Prosta 12',
  postcode: '00-001',
  city: 'Warszawa',
  country: 'PL'
}
const { shipping } = orderOf('o')
const to = (more: Partial<Address>, pickupPointId?: string): Order =>
  orderOf('o', {
    shipping: {
      ...shipping,
      address: { ...address, ...more },
      ...pickupPointId === undefined ? {} : { pickupPointId }
    }
  })
const withLines = (...lines: [amount: string, quantity: number][]): Order =>
  orderOf('o', {
    lines: lines.map(([amount, quantity], index) => ({
      externalId: String(index),
      name: 'Mug',
      quantity,
      unitPrice: { amount, currency: 'PLN' }
    }))
  })

t.test('a shop shows an address only when each new part is there, whole', async t => {
  const shows = (shown: Order, before: Order, now: Order) => shownChanges(shown, before, now).includes('address')
  const [twelve, one] = [to({}), to({ street: 'ul. Prosta 1' })]

  t.notOk(shows(twelve, twelve, one), 'the old street begins like the new one')
  t.notOk(shows(one, one, twelve))
  t.ok(shows(to({ street: 'UL. PROSTA 1' }), twelve, one))
  t.notOk(shows(to({ street: 'ul. Prosta 1, flat 2' }), twelve, one), 'nobody knows what that is')

  const without = orderOf('o', {
    shipping: { ...shipping, address: { ...address, company: undefined, phone: undefined } as unknown as Address }
  })
  t.notOk(shows(twelve, twelve, without), 'a removed part is still there')
  t.notOk(shows(to({ company: '' }), twelve, without))
  t.ok(shows(to({ company: '', phone: '-' }), twelve, without))
})

t.test('a shop may name the pickup point behind the street', async t => {
  const [before, now] = [to({}, 'WAW2'), to({ street: 'ul. Prosta 1' }, 'WAW2')]
  const shows = (street: string) => shownChanges(to({ street }), before, now).includes('address')

  t.ok(shows('ul. Prosta 1, Pickup point WAW2'))
  t.notOk(shows('ul. Prosta 12, Pickup point WAW2'))
  t.notOk(shows('ul. Prosta 1, Pickup point KRK1'))
})

t.test('a shop that changed the prices itself still has a removed line', async t => {
  const [before, now] = [withLines(['20.00', 2], ['10.00', 1]), withLines(['20.00', 2])]
  const shows = (shown: Order) => shownChanges(shown, before, now).includes('lines')

  t.notOk(shows(withLines(['16.67', 3])), 'it merged two prices')
  t.notOk(shows(withLines(['20.00', 2], ['9.00', 1])), 'it took a discount off one line')
  t.notOk(shows(before))
  t.ok(shows(now))
  t.ok(shows(withLines(['20.000', 1], ['20.00', 1])), 'it has the pieces in two lines')
})
