import { Type } from '@sinclair/typebox'
import { join } from 'node:path'
import t from 'tap'
import { readConfigPatch, readMembers, readSettings } from '../../src/cli/config-members.ts'

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

t.test('a setting of the hub is a member of its schema, and an empty value removes it', async t => {
  t.strictSame(readSettings(['shipsWithin=48', 'sellsInactive=true', 'orderPollDays=']), {
    shipsWithin: 48,
    sellsInactive: true,
    orderPollDays: null
  })
  t.throws(() => readSettings(['shipWithin=48']), { message: /shipWithin: the settings are .*shipsWithin/ })
  t.throws(() => readSettings(['shipsWithin=two']), { message: '--setting shipsWithin is not JSON' })
  t.throws(() => readSettings(['shipsWithin']), { message: /name=value/ })
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
    t.throws(() => readMembers([text], schema), { message: '--config must be of the form key=value, @file or -' })
  }
  t.end()
})

t.test('members come from a file, too, and arguments change them', async t => {
  const folder = t.testdir({ members: '\ufeff{"prices":{"country":"PL","digits":3},"carrierId":null}', list: '[]' })
  const from = (name: string): string => `@${join(folder, name)}`

  t.strictSame(await readConfigPatch([from('members'), 'prices.digits=2'], schema), {
    prices: { country: 'PL', digits: 2 },
    carrierId: null
  })
  t.strictSame(await readConfigPatch(['limit=2'], schema), { limit: 2 })
  await t.rejects(readConfigPatch([from('list')], schema), { message: /must hold a JSON object$/ })
  await t.rejects(readConfigPatch([from('none')], schema), {
    message: /^--config: cannot read the file after @: ENOENT$/
  })
  await t.rejects(readConfigPatch(['@'], schema), { message: '--config: @ must be followed by the path of a file' })
  await t.rejects(readConfigPatch(['-', '@-'], schema), { message: /only one file/ })
  await t.rejects(readConfigPatch([from('members'), '-'], schema), { message: /only one file/ })
})

t.test('a member whose name begins with an @ is a file only when there is such a file', async t => {
  const folder = t.testdir({ 'a=b': '{"limit":3}' })

  t.strictSame(await readConfigPatch(['@type=x'], schema), { '@type': 'x' })
  t.strictSame(await readConfigPatch([`@${join(folder, 'a=b')}`], schema), { limit: 3 })
})
