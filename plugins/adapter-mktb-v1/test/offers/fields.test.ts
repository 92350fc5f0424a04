import t from 'tap'
import { hubName, toMinorUnits, toMoney } from '../../src/offers/fields.ts'

t.test('prices convert between decimals and grosze without floats', async t => {
  const pairs = [
    ['0.00', 0],
    ['0.01', 1],
    ['0.10', 10],
    ['19.99', 1999],
    ['1.15', 115],
    ['100.00', 10000],
    ['21474836.47', 2147483647]
  ] as const

  for (const [amount, minorUnits] of pairs) {
    t.equal(toMinorUnits({ amount, currency: 'PLN' }), minorUnits)
    t.same(toMoney(minorUnits), { amount, currency: 'PLN' })
  }
  t.equal(toMinorUnits({ amount: '100', currency: 'PLN' }), 10000)
  t.equal(toMinorUnits({ amount: '19.9', currency: 'PLN' }), 1990)
  t.equal(toMinorUnits({ amount: '19.990000', currency: 'PLN' }), 1999)
})

t.test("fields get the hub's names, and others keep their own", async t => {
  t.equal(hubName('name'), 'title')
  t.equal(hubName('stock'), 'stock')
  t.equal(hubName('price'), 'price')
  t.equal(hubName('images'), 'images')
})
