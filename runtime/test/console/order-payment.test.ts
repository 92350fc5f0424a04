import t from 'tap'
import { paymentWord } from '../../console/rules/order-payment.ts'

t.test('a payment says when the money comes, and its name at the platform', async t => {
  t.equal(paymentWord({ method: 'cash-on-delivery' }), 'on delivery')
  t.equal(paymentWord({ method: 'deferred', methodName: 'EXTENDED_TERM' }), 'later (EXTENDED_TERM)')
})
