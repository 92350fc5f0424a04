import fc from 'fast-check'
import t from 'tap'
import { relate, type Purchase } from '../../../src/orders/lines/shared-lines.ts'

const purchase = (externalId: string, more: Partial<Purchase> = {}): Purchase => {
  const lines = [{ externalId: 'a', quantity: 1 }]
  return { externalId, isPaid: false, isOpen: true, mayBeAtShop: false, lines, ...more }
}
const paid = { isPaid: true, isOpen: false }

t.test('an order replaces an open one when it has all of its lines', async t => {
  const both = [{ externalId: 'a', quantity: 1 }, { externalId: 'b', quantity: 1 }]
  t.equal(relate(purchase('new', { ...paid, lines: both }), purchase('old')), 'replaces')
  t.equal(relate(purchase('old'), purchase('new', { ...paid, lines: both })), 'replaced')
  t.equal(relate(purchase('new', { lines: both }), purchase('old')), 'replaces')
  t.equal(relate(purchase('new', paid), purchase('old')), 'replaces', 'a form of its own for one purchase')
  const unnamed = [{ externalId: 'a', offerExternalId: null, quantity: 1 }]
  t.equal(relate(purchase('new', paid), purchase('old', { lines: unnamed })), 'replaces')
})

t.test('both orders come to the same relation, whichever of them is read', async () => {
  const lines = fc.uniqueArray(
    fc.record({
      externalId: fc.constantFrom('a', 'b', 'c'),
      offerExternalId: fc.constantFrom(null, 'x', 'y'),
      quantity: fc.integer({ min: 1, max: 2 })
    }),
    { selector: ({ externalId }) => externalId, minLength: 1 }
  )
  const states = fc.constantFrom(
    { isPaid: false, isOpen: true, mayBeAtShop: false },
    { isPaid: true, isOpen: false, mayBeAtShop: false },
    { isPaid: true, isOpen: false, mayBeAtShop: true },
    { isPaid: false, isOpen: false, mayBeAtShop: true }
  )
  const pair = fc.tuple(lines, states, lines, states)
  fc.assert(fc.property(pair, ([ofFirst, first, ofSecond, second]) => {
    const order = purchase('first', { ...first, lines: ofFirst })
    const other = purchase('second', { ...second, lines: ofSecond })
    const [there, back] = [relate(order, other), relate(other, order)]
    if (typeof there !== 'string' && typeof back !== 'string') {
      return there.problem === back.problem && /have lines in common/.test(there.problem)
    }
    return (there === 'replaces' && back === 'replaced') || (there === 'replaced' && back === 'replaces')
  }))
})
