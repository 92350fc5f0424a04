import t from 'tap'
import { fieldsOf } from '../../console/form/fields-of.ts'
import {
  fromJson,
  numberOf,
  patchOf,
  pointerTo,
  problemsAt,
  problemsElsewhere,
  problemsSoFar,
  startOf,
  withMember,
  withoutStoredSecrets
} from '../../console/form/values-of.ts'

const fields = fieldsOf({
  type: 'object',
  properties: {
    key: { type: 'string', secret: true },
    prices: { type: 'object', properties: { country: { type: 'string' } } },
    address: { type: 'object', properties: { city: { type: 'string' } } }
  },
  required: ['prices']
}) ?? []

const problem = (pointer: string) => ({ pointer, message: 'is wrong' })

t.test('an empty member is removed', async t => {
  t.strictSame(withMember({ a: 1 }, 'b', 2), { a: 1, b: 2 })
  t.strictSame(withMember({ a: 1, b: 2 }, 'a', undefined), { b: 2 })
})

t.test('problems go to the field that they name', async t => {
  const problems = ['/config', '/config/prices/country', '/config/pricesOld', '/credentials/key'].map(problem)

  t.equal(pointerTo('/config', 'a/b~c'), '/config/a~1b~0c')
  t.strictSame(problemsAt(problems, '/config'), [problem('/config')])
  t.strictSame(problemsAt(problems, '/config/prices', true), [problem('/config/prices/country')])
  t.strictSame(problemsElsewhere(problems, '/config', fields), [problem('/config'), problem('/config/pricesOld')])
})

t.test('a secret that is stored is not missing', async t => {
  const problems = [problem('/config/key'), problem('/config/prices')]

  t.strictSame(withoutStoredSecrets(problems, '/config', fields, {}), [problem('/config/prices')])
  t.strictSame(withoutStoredSecrets(problems, '/config', fields, { key: 'new' }), problems)
})

t.test('an empty field is a fault only when the form is sent', async t => {
  const missing = { ...problem('/config/prices'), code: 'required' }

  t.strictSame(problemsSoFar([missing, problem('/config')], false), [problem('/config')])
  t.strictSame(problemsSoFar([missing], true), [missing])
})

t.test('a text that is no number stays a text', async t => {
  t.strictSame([' 12 ', '0.5', '', '1,5', 'Infinity'].map(numberOf), [12, 0.5, undefined, '1,5', 'Infinity'])
})

t.test('objects that are required begin empty', async t => {
  t.strictSame(startOf(fields), { prices: {} })
})

t.test('pasted JSON fills the form only when it is an object', async t => {
  t.strictSame(fromJson('{"a":1}'), { values: { a: 1 } })
  t.hasOwnProp(fromJson('[1]'), 'problem')
  t.hasOwnProp(fromJson('null'), 'problem')
  t.hasOwnProp(fromJson('{'), 'problem')
})

t.test('a patch holds only the changed members', async t => {
  const before = { a: 1, prices: { country: 'PL', currency: 'PLN' }, list: [1], gone: true }
  const after = { a: 1, prices: { country: 'CZ', currency: 'PLN' }, list: [1, 2], added: {} }

  t.strictSame(patchOf(before, after), { prices: { country: 'CZ' }, list: [1, 2], gone: null, added: {} })
  t.strictSame(patchOf(before, before), {})
  t.strictSame(patchOf({ prices: { country: 'PL' } }, { prices: {} }), { prices: { country: null } })
})
