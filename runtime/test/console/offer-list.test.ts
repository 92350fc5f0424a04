import t from 'tap'
import { offerProblems, offerStatuses, offerWarnings, quantitiesOf } from '../../console/rules/offer-list.ts'
import { OfferQuery } from '../../src/offers/schemas.ts'

const { problem, status, warning } = OfferQuery.properties

t.test('the filters offer what the hub takes', async t => {
  t.strictSame(offerProblems.map(([code]) => code), problem.anyOf.map(({ const: code }) => code))
  t.strictSame(offerStatuses.map(([code]) => code), status.anyOf.map(({ const: code }) => code))
  t.same(offerWarnings.map(([code]) => code).toSorted(), warning.anyOf.map(({ const: code }) => code).toSorted())
})

t.test('written and shown quantity differ only when both are known', async t => {
  t.strictSame(quantitiesOf({ quantity: 3, upstreamQuantity: 2 }), { text: '3 / 2', isDifferent: true })
  t.strictSame(quantitiesOf({ quantity: 3, upstreamQuantity: null }), { text: '3 / ?', isDifferent: false })
  t.strictSame(quantitiesOf({ quantity: null, upstreamQuantity: 2 }), { text: '– / 2', isDifferent: false })
})
