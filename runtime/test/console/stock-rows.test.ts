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

t.test('a quantity says when the shop does not count it, does not list the variant, or jumped', async t => {
  const counted = { isCounted: true, isSellable: true, confirmedQuantity: null, missingSince: null }
  t.equal(quantityText({ ...counted, quantity: 500, confirmedQuantity: 5 }), '500 (jumped, offers go by 5)')
  t.equal(quantityText({ ...counted, quantity: 5 }), '5')
  t.equal(quantityText({ ...counted, quantity: 100, isCounted: false }), 'not counted')
  t.equal(quantityText({ ...counted, quantity: 0, missingSince: '2026-01-31T10:00:00.000Z' }), '0 (missing)')
  t.equal(quantityText({ ...counted, quantity: 5, isSellable: false }), '5 (switched off)')
})

t.test('missing variants are accepted by their number only', async t => {
  t.ok(isAccepted(' 12 ', 12))
  for (const typed of ['', '1', '12.0', 'yes']) t.notOk(isAccepted(typed, 12), typed)
})
