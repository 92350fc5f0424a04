import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { listChanges } from '../../src/audit/list-changes.ts'

const open = (): boolean => false

t.test('members are compared one by one, nested objects too, arrays as a whole', async t => {
  const changes = listChanges({ a: 1, b: { c: 2, d: 3 }, e: [1, 2], same: { f: [1] } }, {
    b: { c: 4, d: 3, g: 5 },
    e: [1],
    same: { f: [1] },
    'h/i': null
  }, open)

  t.strictSame(changes, [{ pointer: '/a', from: 1 }, { pointer: '/b/c', from: 2, to: 4 }, { pointer: '/b/g', to: 5 }, {
    pointer: '/e',
    from: [1, 2],
    to: [1]
  }, { pointer: '/h~1i', to: null }])
})

t.test('a change shows of a secret only that it changed, wherever a migration put it', async t => {
  const isSecret = (name: string): boolean => ['key', 'newKey'].includes(name)
  const changes = listChanges({ key: 'canary-1', kept: 'x' }, {
    newKey: 'canary-1',
    kept: 'x',
    url: 'https://shop.example/?key=canary-1',
    other: { deep: ['canary-1'] }
  }, isSecret)

  t.strictSame(changes.map(({ pointer, isSecret }) => [pointer, isSecret ?? false]), [
    ['/key', true],
    ['/newKey', true],
    ['/other', false],
    ['/url', false]
  ])
  t.notMatch(JSON.stringify(changes), /canary/)
  t.strictSame(listChanges({ key: { a: 'canary-1' } }, { key: { a: 'canary-1' } }, isSecret), [])
})

t.test('there is no change exactly when two configs are equal', async t => {
  const config = fc.dictionary(fc.string(), fc.jsonValue()).map(value =>
    JSON.parse(JSON.stringify(value)) as Record<string, unknown>
  )
  const pair = fc.oneof(
    fc.tuple(config, config),
    config.map((value): [typeof value, typeof value] => [value, structuredClone(value)])
  )

  t.doesNotThrow(() => {
    fc.assert(fc.property(
      pair,
      ([before, after]) => (listChanges(before, after, open).length === 0) === isDeepStrictEqual(before, after)
    ))
  })
})
