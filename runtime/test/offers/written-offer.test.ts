import { NotFoundError, RejectedError } from '@linker/sdk'
import t from 'tap'
import { explainMissing, visibleAfterMsOf } from '../../src/offers/written-offer.ts'
import { openedConnection } from '../connections/support.ts'

const now = new Date('2026-01-31T10:00:00Z')
const visibleAfterMs = 25 * 60_000
const missing = new NotFoundError('no such offer')

/** Explains the error of a write to an offer that the hub created some milliseconds ago. */
const explain = (error: unknown, agoMs: number | null) =>
  explainMissing(
    error,
    { externalId: 'offer-1', createdUpstreamAt: agoMs === null ? null : new Date(now.getTime() - agoMs) },
    visibleAfterMs,
    now
  )

t.test('the adapter says how long its marketplace shows old states, even that it does not', async t => {
  t.equal(visibleAfterMsOf(openedConnection()), 25 * 60_000)
  t.equal(visibleAfterMsOf(openedConnection({ visibleAfterMs: 0 })), 0)
  t.equal(visibleAfterMsOf(openedConnection({ visibleAfterMs: 90_000 })), 90_000)
})

t.test('right after its creation a missing offer lets the job wait, two minutes at most', async t => {
  t.match(explain(missing, 0), { code: 'LNK_OFFER_NOT_VISIBLE', retryAfterMs: 120_000, cause: missing })
  t.match(explain(missing, visibleAfterMs - 1_000), { code: 'LNK_OFFER_NOT_VISIBLE', retryAfterMs: 1_000 })
})

t.test('an offer that is long there, or that the hub did not create, is gone', async t => {
  t.equal(explain(missing, visibleAfterMs), missing)
  t.equal(explain(missing, null), missing)
})

t.test('another error stays as it is', async t => {
  for (const error of [new RejectedError('no'), new Error('no'), 'no']) t.equal(explain(error, 0), error)
})
