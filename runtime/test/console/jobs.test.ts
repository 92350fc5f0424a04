import t from 'tap'
import {
  canCancel,
  canRetry,
  deliveryOf,
  nameOfCancel,
  objectOf,
  reasonOf,
  workedMs
} from '../../console/rules/jobs.ts'

t.test('the reason of a job is why it waits, or of what it died', async t => {
  const problem = { code: 'LNK_UPSTREAM_REJECTED', message: 'no such product' }

  t.equal(reasonOf({ waitsFor: null, problem }), 'LNK_UPSTREAM_REJECTED: no such product')
  t.equal(
    reasonOf({ waitsFor: { reason: 'retry', detail: 'attempt 2 of 5 follows' }, problem }),
    'retry: attempt 2 of 5 follows'
  )
  t.equal(reasonOf({ waitsFor: null, problem: null }), '')
})

t.test('only jobs that ended without success run again, and only those that have not ended well end', async t => {
  t.strictSame(['dead', 'cancelled', 'waiting', 'succeeded'].map(status => canRetry(status as 'dead')), [
    true,
    true,
    false,
    false
  ])
  t.strictSame(['dead', 'cancelled', 'waiting', 'succeeded'].map(status => canCancel(status as 'dead')), [
    true,
    false,
    true,
    false
  ])
  t.equal(nameOfCancel('dead'), 'Give up')
  t.equal(nameOfCancel('queued'), 'Cancel')
})

t.test('a job that a webhook started leads to its delivery', async t => {
  t.equal(deliveryOf({ id: 'a', idempotencyKey: 'webhook:shopa:1:2' }), 'a')
  t.equal(deliveryOf({ id: 'a', idempotencyKey: 'schedule:x' }), undefined)
})

t.test('the pauses between attempts are no work', async t => {
  t.equal(
    workedMs({
      attempts: [
        { startedAt: '2026-01-31T10:00:00.000Z', finishedAt: '2026-01-31T10:00:01.500Z' },
        { startedAt: '2026-01-31T11:00:00.000Z', finishedAt: '2026-01-31T11:00:00.250Z' }
      ]
    }),
    1_750
  )
})

t.test('a job is about the object that its payload names, or its key', t => {
  const connectionId = 'da9e3538-0000-4000-8000-000000000001'
  const offerId = 'e30ea0fe-e521-445c-821f-8b4bd8213720'
  const objectKey = `master.product.syncByExternalId|${connectionId}:903`
  const objectIs = (payload: Record<string, unknown>, key: string, expected: string): void => {
    t.equal(objectOf({ payload, objectKey: key, connectionId }), expected)
  }
  objectIs({ externalId: '903' }, objectKey, '903')
  objectIs({}, objectKey, '903')
  objectIs({ offerId }, 'inventory', 'e30ea0fe')
  objectIs({ externalId: 7 }, 'inventory', 'inventory')
  objectIs({}, `marketplace.orders.poll|${connectionId}`, '')
  t.end()
})
