import t from 'tap'
import { addressLine, linesOf } from '../../console/rules/order-lines.ts'

t.test('a line has the name and the price that the marketplace showed', async t => {
  const line = { externalId: '1', offerExternalId: 'A', quantity: 2, variantId: null }
  const unitPrice = { amount: '10.00', currency: 'PLN' }
  const snapshot = { lines: [{ externalId: '1', name: 'Mug', unitPrice }] }

  t.strictSame(linesOf({ lines: [line], snapshot }), [{ ...line, name: 'Mug', price: '10.00 PLN' }])
  t.match(linesOf({ lines: [{ ...line, externalId: '2' }], snapshot }), [{ name: '', price: '' }])
})

t.test('an address is one line of what is known', async t => {
  const address = { street: 'Long 1', postcode: '00-001', city: 'Warsaw', country: 'PL' }

  t.equal(addressLine({ ...address, firstName: 'Jan', lastName: 'Kowal' }), 'Jan Kowal, Long 1, 00-001 Warsaw, PL')
  t.equal(addressLine({ ...address, company: 'ACME' }), 'ACME, Long 1, 00-001 Warsaw, PL')
})
