import t from 'tap'
import { createKeysOf } from '../../src/jobs/object-keys.ts'

t.test('a filter by objects becomes the keys of their jobs', async t => {
  const asked: unknown[] = []
  const keysOf = createKeysOf(async (...given) => {
    asked.push(given)
    return given[0] === 'offerId' ? ['a', 'b'] : ['b', 'c']
  })

  t.equal(await keysOf({ connectionId: 'one' }), undefined)
  t.strictSame(await keysOf({ objectKey: 'x' }), ['x'])
  t.strictSame(asked, [])
  t.strictSame(await keysOf({ offerId: '1', connectionId: 'one' }), ['a', 'b'])
  t.strictSame(await keysOf({ offerId: '1', orderId: '2' }), ['b'])
  t.strictSame(await keysOf({ objectKey: 'x', offerId: '1' }), [], 'no job is about both')
  t.strictSame(asked[0], ['offerId', '1', 'one'])
})
