import t from 'tap'
import { faultOfPrice, parsePrice, priceText } from '../../console/rules/typed-price.ts'

t.test('a price is an amount and a currency', t => {
  t.strictSame(parsePrice(' 12,90 eur '), { amount: '12.90', currency: 'EUR' })
  t.strictSame(parsePrice('7PLN'), { amount: '7', currency: 'PLN' })
  for (const price of ['', ' 12.90 EUR', '5 usd']) t.equal(faultOfPrice(price), undefined, price)
  for (const price of ['12.90', 'EUR', '-1 EUR', '1.234 EUR', 'free']) {
    t.equal(typeof faultOfPrice(price), 'string', price)
  }
  t.end()
})

t.test('a price reads as it is typed', t => {
  t.equal(priceText({ amount: '12.90', currency: 'EUR' }), '12.90 EUR')
  t.equal(priceText(null), '')
  t.end()
})
