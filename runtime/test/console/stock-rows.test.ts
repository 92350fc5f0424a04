import t from 'tap'
import { isAccepted, isAmiss, offerLine, quantityText, standingOf } from '../../console/rules/stock-rows.ts'

const offer = { offerId: 'o', connectionId: 'c', wantedQuantity: 5, sentQuantity: 5, upstreamQuantity: 5 }

t.test('an offer is in step until its last write or what is shown differs', async t => {
  t.equal(standingOf(offer), 'in step')
  t.equal(standingOf({ ...offer, upstreamQuantity: null }), 'not read back')
  t.equal(standingOf({ ...offer, upstreamQuantity: 3 }), 'shown differs')
  t.equal(standingOf({ ...offer, sentQuantity: 3, upstreamQuantity: 3 }), 'written differs')
  t.equal(standingOf({ ...offer, sentQuantity: null, upstreamQuantity: null }), 'not written')
  t.equal(
    offerLine({ ...offer, sentQuantity: null, upstreamQuantity: null }),
    'wants 5, written never, shown not read yet'
  )
  t.notOk(isAmiss('in step') || isAmiss('not read back'))
  t.ok(isAmiss('not written') && isAmiss('written differs') && isAmiss('shown differs'))
})

t.test('a quantity says when the shop does not count it, or does not list the variant', async t => {
  t.equal(quantityText({ quantity: 5, isCounted: true, isSellable: true, missingSince: null }), '5')
  t.equal(quantityText({ quantity: 100, isCounted: false, isSellable: true, missingSince: null }), 'not counted')
  t.equal(
    quantityText({ quantity: 5, isCounted: true, isSellable: false, missingSince: null }),
    '5 (switched off)'
  )
  const missingSince = '2026-01-31T10:00:00.000Z'
  t.equal(quantityText({ quantity: 0, isCounted: true, isSellable: true, missingSince }), '0 (missing)')
})

t.test('missing variants are accepted by their number only', async t => {
  t.ok(isAccepted(' 12 ', 12))
  for (const typed of ['', '1', '12.0', 'yes']) t.notOk(isAccepted(typed, 12), typed)
})
