import t from 'tap'
import { defaultsOf } from '../../console/rules/listing-defaults.ts'

const nothing = { price: '', pictures: '', isDraft: false }

t.test('what nobody typed is left to the shop', t => {
  t.strictSame(defaultsOf({ price: ' ', pictures: '\n', isDraft: false }), {})
  t.end()
})

t.test('a price has an amount and a currency', t => {
  t.strictSame(defaultsOf({ ...nothing, price: ' 12,90 eur ' }), { price: { amount: '12.90', currency: 'EUR' } })
  t.strictSame(defaultsOf({ ...nothing, price: '7PLN' }), { price: { amount: '7', currency: 'PLN' } })
  t.end()
})

t.test('pictures stand on lines of their own, and drafts are not published', t => {
  t.strictSame(defaultsOf({ ...nothing, pictures: 'https://a.example/1\n https://a.example/2 \n', isDraft: true }), {
    publishImmediately: false,
    overrides: { imageUrls: ['https://a.example/1', 'https://a.example/2'] }
  })
  t.end()
})
