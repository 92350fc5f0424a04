import t from 'tap'
import { describePause } from '../../src/cli/pauses.ts'

const now = new Date('2026-10-03T10:00:00Z')

t.test('a pause is described with what it stops, its end and its reason', t => {
  const pause = { since: now.toISOString(), by: { kind: 'token' as const, name: 'ada', tokenId: null } }

  t.equal(
    describePause({ ...pause, capability: null, until: null, reason: null }),
    'paused by ada until somebody resumes it'
  )
  t.equal(
    describePause({ ...pause, capability: 'OrderSource', until: '2026-10-03T12:00:00.000Z', reason: 'maintenance' }),
    'OrderSource paused by ada until 2026-10-03T12:00:00.000Z: maintenance'
  )
  t.end()
})
