import t from 'tap'
import { bothChanged, configDiff, valueText } from '../../console/rules/config-diff.ts'

t.test('two configs are compared member by member', async t => {
  const before = {
    shopId: '1',
    prices: { country: 'PL', currency: 'PLN' },
    list: [{ a: 1, b: 2 }],
    same: [1, { c: 3 }]
  }
  const after = {
    shopId: 1,
    prices: { country: 'CZ', currency: 'PLN' },
    list: [{ a: 1 }],
    same: [1, { c: 3 }],
    new: true
  }

  t.strictSame(configDiff(before, after), [
    { pointer: '/list', from: [{ a: 1, b: 2 }], to: [{ a: 1 }] },
    { pointer: '/new', from: undefined, to: true },
    { pointer: '/prices/country', from: 'PL', to: 'CZ' },
    { pointer: '/shopId', from: '1', to: 1 }
  ])
  t.strictSame(configDiff(before, before), [])
  t.strictSame(configDiff({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }), [], 'the order of members means nothing')
})

t.test('a pointer escapes what separates its pieces', async t => {
  t.strictSame(configDiff({}, { 'a/b~c': 1 }), [{ pointer: '/a~1b~0c', from: undefined, to: 1 }])
})

t.test('an object that replaces a text is one change', async t => {
  t.strictSame(configDiff({ a: 'text' }, { a: { b: 1 } }), [{ pointer: '/a', from: 'text', to: { b: 1 } }])
})

t.test('members that two people changed are found at every depth', async t => {
  const change = (pointer: string) => ({ pointer })

  t.strictSame(bothChanged([change('/a'), change('/b/c')], [change('/b'), change('/d')]), ['/b/c'])
  t.strictSame(bothChanged([change('/b')], [change('/b/c')]), ['/b'])
  t.strictSame(bothChanged([change('/ab')], [change('/a')]), [])
})

t.test('a value is shown as JSON, and a secret not at all', async t => {
  t.strictSame([valueText('1'), valueText(1), valueText(undefined), valueText('x', true)], [
    '"1"',
    '1',
    '(absent)',
    '(secret)'
  ])
})
