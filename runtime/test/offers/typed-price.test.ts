import t from 'tap'
import { checkTypedPrice } from '../../src/offers/typed-price.ts'

const pln = (amount: string) => ({ amount, currency: 'PLN' })
const check = (before: string, typed: string, isConfirmed = false) => () =>
  checkTypedPrice(pln(before), pln(typed), isConfirmed)

t.test('a price that changes by 30 % or more needs a confirmation that names both', async t => {
  for (const [before, typed] of [['20.00', '25.99'], ['20', '14.01'], ['20.0', '20'], ['0.10', '0.12']] as const) {
    t.doesNotThrow(check(before, typed), `${before} to ${typed}`)
  }
  for (const [before, typed] of [['20.00', '26'], ['20', '14.00'], ['0', '0.01'], ['19.90', '199.00']] as const) {
    t.throws(check(before, typed), {
      code: 'LNK_PRICE_NOT_CONFIRMED',
      statusCode: 409,
      message: new RegExp(`${before} PLN.*${typed} PLN`)
    })
    t.doesNotThrow(check(before, typed, true), 'confirmed')
  }
})

t.test('the currency is that of the offer, and no confirmation changes it', async t => {
  for (const isConfirmed of [false, true]) {
    t.throws(() => checkTypedPrice(pln('20.00'), { amount: '20.00', currency: 'EUR' }, isConfirmed), {
      code: 'LNK_OFFER_INVALID',
      errors: [{ pointer: '/price/currency', message: /EUR.*PLN/ }]
    })
  }
})

t.test('the first price may be any', async t => {
  t.doesNotThrow(() => checkTypedPrice(null, { amount: '99999.00', currency: 'EUR' }, false))
})
