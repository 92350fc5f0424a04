import t from 'tap'
import { heldKeyIds, missingKeyIds } from '../../src/credentials/key-ids.ts'

t.test('the ids of the keys that the hub lacks are named', async t => {
  t.strictSame(missingKeyIds(['flows', 'webhooks'], 'new:AAAA, flows:BBBB'), ['webhooks'])
  t.strictSame(missingKeyIds(['flows', 'webhooks']), ['flows', 'webhooks'])
  t.strictSame(missingKeyIds([], 'new:AAAA'), [])
})

t.test('the ids of the keys come newest first', async t => {
  t.strictSame(heldKeyIds('new:AAAA, flows:BBBB'), ['new', 'flows'])
  t.strictSame(heldKeyIds(''), [])
})
