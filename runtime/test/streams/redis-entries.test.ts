import t from 'tap'
import { counted, sizeOf, toEntries, toFields } from '../../src/streams/redis-entries.ts'

t.test('fields go to a script as their count and then in order, and come back the same', async t => {
  const fields = { eventId: '1', payloadJson: '{}' }
  const [count, ...parts] = counted(fields)

  t.equal(count, 4)
  t.strictSame(toFields(parts.map(String)), fields)
  t.strictSame(counted({}), [0])
})

t.test('of fields with one name the first counts, and a name without a value is left out', async t => {
  t.strictSame(toFields(['a', '1', 'b', '2', 'a', '3', 'c']), { a: '1', b: '2' })
})

t.test('an answer of Redis becomes entries in their order; no answer, none', async t => {
  t.strictSame(toEntries([['stream', [['1-0', ['a', '1']], ['2-0', []]]]]), [
    { id: '1-0', fields: { a: '1' }, deliveries: 1 },
    { id: '2-0', fields: {}, deliveries: 1 }
  ])
  t.strictSame(toEntries(null), [])
})

t.test('the size of values is that of their texts', async t => {
  t.equal(sizeOf(['abc', 1_000_000, 'de']), 5)
})
