import t from 'tap'
import { describeState } from '../../src/cli/health.ts'

const pause = (capability: string | null) => ({
  capability,
  reason: null,
  until: null,
  since: '2026-01-31T12:00:00.000Z',
  by: { kind: 'token', name: 'ada', tokenId: null }
} as const)
const breaker = { openedAt: '2026-01-31T12:00:00.000Z', openUntil: '2026-01-31T12:00:30.000Z' }

t.test('the state names a pause and an open breaker beside the status', async t => {
  t.equal(describeState({ status: 'active' }), 'active')
  t.equal(
    describeState({ status: 'active', pauses: [pause(null), pause('OfferManager')], breaker }),
    'active, paused, ' +
      'breaker open'
  )
  t.equal(
    describeState({ status: 'error', pauses: [pause('OfferManager')], breaker: null }),
    'error, OfferManager paused'
  )
})
