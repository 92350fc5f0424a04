import fc from 'fast-check'
import t from 'tap'
import { mergeConfig } from '../../src/connections/merge-config.ts'

t.test('objects merge deeply, null removes, everything else replaces', async t => {
  const merged = mergeConfig({ a: 1, b: { c: 2, d: 3 }, e: [1, 2], f: 'old' }, {
    a: null,
    b: { d: null, g: 4 },
    e: [3],
    f: { h: 5 }
  })

  t.strictSame(merged, { b: { c: 2, g: 4 }, e: [3], f: { h: 5 } })
})

t.test('an empty patch changes nothing and the inputs stay as they were', async t => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue().filter(value => value !== null)), config => {
    const before = structuredClone(config)
    mergeConfig(config, {})
    return JSON.stringify(config) === JSON.stringify(before)
  }))
  t.strictSame(mergeConfig({ a: { b: 1 } }, {}), { a: { b: 1 } })
})

t.test('a member named __proto__ pollutes no prototype', async t => {
  const merged = mergeConfig({}, JSON.parse('{"__proto__":{"polluted":true}}'))

  t.equal(Reflect.get({}, 'polluted'), undefined)
  t.strictSame(Object.keys(merged), ['__proto__'])
})
