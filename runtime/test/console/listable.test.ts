import t from 'tap'
import { listableOf, nameItems, nameOfRow } from '../../console/rules/listable.ts'

const row = (variantId: string, marketplaces: readonly string[], missingSince: string | null = null) => ({
  variantId,
  name: null,
  sku: null,
  missingSince,
  offers: marketplaces.map(connectionId => ({ connectionId }))
})

t.test('variants that a marketplace shows, and those that the shop lost, cannot be listed', t => {
  const rows = [row('new', []), row('elsewhere', ['b']), row('there', ['a', 'b']), row('gone', [], '2026-01-31')]
  t.strictSame(listableOf(rows, 'a').map(({ variantId }) => variantId), ['new', 'elsewhere'])
  t.end()
})

t.test('a variant without a name has its SKU, else its id', t => {
  t.equal(nameOfRow({ name: 'Mug', sku: 'M', variantId: '1' }), 'Mug')
  t.equal(nameOfRow({ name: null, sku: 'M', variantId: '1' }), 'M')
  t.equal(nameOfRow({ name: null, sku: null, variantId: '1' }), '1')
  t.end()
})

t.test('faults of items have the names of their variants', t => {
  const faults = [
    { pointer: '/items/1/price', message: 'is required' },
    { pointer: '/items/0', message: 'is listed' },
    { pointer: '/items/1/overrides/title', message: 'is too long' },
    { pointer: '/items/7/price', message: 'is required' },
    { pointer: '/defaults/price', message: 'is required' }
  ]
  t.strictSame(nameItems(faults, ['Mug', 'Cup']).map(({ pointer }) => pointer), [
    'Cup: price',
    'Mug',
    'Cup: overrides/title',
    '/items/7/price',
    '/defaults/price'
  ])
  t.end()
})
