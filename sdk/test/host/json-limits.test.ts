import t from 'tap'
import { findBeyondLimits, findUnstorable, type TextRule } from '../../src/host/json-limits.ts'

const wellFormed: TextRule = { code: 'unicode', message: 'is half', allows: text => text.isWellFormed() }
const nested = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>(inner => [inner], 1)

t.test('every value that no store keeps is pointed to, and nothing else', async t => {
  const body = {
    kept: ['text', 1e308, null, true, {}],
    'a/b': { '~c': ['x\0', Infinity] },
    half: '\ud800',
    deep: nested(33)
  }

  t.strictSame(findUnstorable(body).map(({ pointer, code }) => [pointer, code]), [
    ['/a~1b/~0c/0', 'text'],
    ['/a~1b/~0c/1', 'number'],
    ['/half', 'text'],
    [`/deep${'/0'.repeat(31)}`, 'depth']
  ])
  t.strictSame(findUnstorable({ deep: nested(31) }), [])
})

t.test('a name that no store keeps is a problem of its object, and its member is not looked at', async t => {
  t.strictSame(findUnstorable({ in: { '\udc00': '\0', fine: 1 } }).map(({ pointer, code }) => [pointer, code]), [
    ['/in', 'text']
  ])
})

t.test('the rule says which texts are allowed, and the search ends after the given number of problems', async t => {
  const halves = { nul: '\0', a: '\ud800', b: '\ud800', '\ud800': 1 }

  t.strictSame(findBeyondLimits(halves, wellFormed, 1), [{ pointer: '/a', code: 'unicode', message: 'is half' }])
  t.equal(findBeyondLimits(halves, wellFormed, 9).length, 3)
})

t.test('at most twenty problems are named, and no depth exhausts the stack', async t => {
  t.equal(findUnstorable(Array.from({ length: 100 }, () => '\0')).length, 20)
  t.match(findUnstorable(nested(100_000)), [{ code: 'depth' }])
})
