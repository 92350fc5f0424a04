import t from 'tap'
import { missingKeyIds } from '../../src/credentials/key-ids.ts'

t.test('the ids are named whose key the hub does not hold', async t => {
  t.strictSame(missingKeyIds(['flows', 'webhooks'], 'new:AAAA, flows:BBBB'), ['webhooks'])
  t.strictSame(missingKeyIds(['flows', 'webhooks']), ['flows', 'webhooks'])
  t.strictSame(missingKeyIds([], 'new:AAAA'), [])
})
