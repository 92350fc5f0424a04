import { addMoney, AdapterErrorCode, multiplyMoney } from '@linker/sdk'
import t from 'tap'

const zloty = (amount: string) => ({ amount, currency: 'PLN' })

t.test('amounts are added exactly', async t => {
  t.strictSame(addMoney(zloty('0.1'), zloty('0.2')), zloty('0.30'))
  t.strictSame(addMoney(zloty('119.99')), zloty('119.99'))
  t.strictSame(addMoney(zloty('0.000001'), zloty('999999999999')), zloty('999999999999.000001'))
  t.strictSame(addMoney(zloty('1'), zloty('-1.5')), zloty('-0.50'))
  t.strictSame(addMoney(zloty('-0.05'), zloty('0.05')), zloty('0.00'))
})

t.test('amounts in two currencies are refused with both names', async t => {
  t.throws(() => addMoney(zloty('1'), { amount: '1', currency: 'EUR' }), {
    code: AdapterErrorCode.rejected,
    message: /EUR.*PLN/
  })
})

t.test('a price is multiplied by a quantity', async t => {
  t.strictSame(multiplyMoney(zloty('0.335'), 3), zloty('1.005'))
  t.strictSame(multiplyMoney(zloty('-2'), -1), zloty('2.00'))
  t.strictSame(multiplyMoney(zloty('2'), 0), zloty('0.00'))
})
