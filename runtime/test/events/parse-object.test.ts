import t from 'tap'
import { parseObject } from '../../src/events/parse-object.ts'

t.test('a JSON object is read as it is', async t => {
  t.strictSame(parseObject('{"a":{"b":[1]},"constructor":"x"}'), { a: { b: [1] }, constructor: 'x' })
})

for (
  const [what, text] of Object.entries({
    nothing: undefined,
    'text that is no JSON': '{"a":',
    'an array': '[{}]',
    null: 'null',
    'a number': '1',
    'a member that changes a prototype': '{"a":1,"__proto__":{"isAdmin":true}}',
    'such a member further down': '{"a":{"__proto__":{}}}',
    'a constructor with a prototype': '{"constructor":{"prototype":{"isAdmin":true}}}'
  })
) {
  t.test(`${what} is no object`, async t => {
    t.equal(parseObject(text), undefined)
  })
}

t.test('a whole number that JavaScript would round keeps its digits', async t => {
  t.strictSame(parseObject('{"id":9007199254740993}'), { id: '9007199254740993' })
})
