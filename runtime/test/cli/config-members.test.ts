import { Type } from '@sinclair/typebox'
import t from 'tap'
import { readMembers } from '../../src/cli/config-members.ts'

const schema = Type.Object({
  carrierId: Type.String(),
  limit: Type.Integer(),
  isTest: Type.Boolean(),
  mode: Type.Union([Type.Literal('fast'), Type.Literal('safe')]),
  prices: Type.Object({ country: Type.String(), digits: Type.Integer() }),
  ids: Type.Array(Type.String())
})

t.test('the schema decides whether a value is a text or JSON', t => {
  t.strictSame(readMembers(['carrierId=2', 'limit=2', 'isTest=true', 'mode=safe', 'ids=["a"]'], schema), {
    carrierId: '2',
    limit: 2,
    isTest: true,
    mode: 'safe',
    ids: ['a']
  })
  t.strictSame(readMembers(['carrierId=a=b'], schema), { carrierId: 'a=b' })
  t.throws(() => readMembers(['limit=two'], schema), { message: '--config limit is not JSON' })
  t.end()
})

t.test('a dot leads into an object, and an empty value removes', t => {
  t.strictSame(readMembers(['prices.country=PL', 'prices.digits=2', 'carrierId='], schema), {
    prices: { country: 'PL', digits: 2 },
    carrierId: null
  })
  t.end()
})

t.test('a value of an unknown member is JSON if it can be', t => {
  t.strictSame(readMembers(['other=2', 'constructor=x', 'prices.other=true'], schema), {
    other: 2,
    constructor: 'x',
    prices: { other: true }
  })
  t.end()
})

t.test('what is no member is refused, and not quoted', t => {
  for (const text of ['canary', '=canary']) {
    t.throws(() => readMembers([text], schema), { message: '--config must be of the form key=value' })
  }
  t.end()
})
