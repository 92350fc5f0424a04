import t from 'tap'
import { orderReferenceOf } from '../../../src/orders/creation/order-reference.ts'

t.test('a reference is nine capital letters, always the same, and another for each order', t => {
  const ids = Array.from({ length: 200 }, (_, index) => `6f8372fc-0821-5951-ad59-${index}`)
  const references = ids.map(orderReferenceOf)

  t.ok(references.every(reference => /^[A-Z]{9}$/.test(reference)))
  t.equal(new Set(references).size, ids.length)
  t.strictSame(ids.map(orderReferenceOf), references)
  t.end()
})
