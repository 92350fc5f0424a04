import t from 'tap'
import { retryCommandOf, retryFilterOf } from '../../console/rules/order-retries.ts'

t.test('a retry takes the filter of the list, and only states that can be retried', async t => {
  const filter = retryFilterOf({ status: 'failed', problem: 'not-created', externalId: 'A 1' })

  t.strictSame(filter, { externalId: 'A 1', status: ['failed'], code: 'not-created' })
  t.equal(retryCommandOf(filter), "linker orders retry --status failed --code not-created --external-id 'A 1'")
  t.strictSame(retryFilterOf({ problem: 'any' }), { status: ['awaiting_mapping', 'failed'] })
  t.strictSame(retryFilterOf({ status: 'created' }).status, ['awaiting_mapping', 'failed'])
})
