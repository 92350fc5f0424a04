import t from 'tap'
import { grossAmount, parseDecimal } from '../../src/products/gross-amount.ts'

const gross = (nets: string[], percent: string, decimals = 2) =>
  grossAmount(nets.map(net => parseDecimal(net) ?? 0n), parseDecimal(percent) ?? 0n, decimals)

t.test('the tax is added to the sum, which is rounded once', async t => {
  t.equal(gross(['81.300813'], '23.000'), '100.00')
  t.equal(gross(['81.300813', '4.065041'], '23.000'), '105.00')
  t.equal(gross(['81.300813', '-4.065041'], '23.000'), '95.00')
  t.equal(gross(['10.000000'], '0'), '10.00')
  t.equal(gross(['0.000000'], '23.000'), '0.00')
  t.equal(gross(['0.040000'], '23.000'), '0.05')
})

t.test('half a cent is rounded away from zero, where floats would lose it', async t => {
  t.equal(gross(['1.005'], '0'), '1.01')
  t.equal(gross(['-1.005'], '0'), '-1.01')
  t.equal(gross(['1.004999999'], '0'), '1.00')
  t.equal(gross(['999999999999.999999'], '23'), '1230000000000.00')
})

t.test('an amount has the decimals of its currency', async t => {
  t.equal(gross(['1234.500000'], '10', 0), '1358')
  t.equal(gross(['0.100000'], '5', 3), '0.105')
})

t.test('an invalid decimal number is unknown, not zero', async t => {
  for (const value of [undefined, null, '', ' ', 'NaN', '1,5', '1e3', '.5', '5.', false, {}]) {
    t.equal(parseDecimal(value), undefined, JSON.stringify(value))
  }
  t.equal(parseDecimal('0.000000'), 0n)
  t.equal(parseDecimal(-2.5), -2_500_000_000n)
})
