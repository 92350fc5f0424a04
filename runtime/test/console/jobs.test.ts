import t from 'tap'
import { canCancel, canRetry, deliveryOf, nameOfCancel, reasonOf, workedMs } from '../../console/rules/jobs.ts'

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
