import t from 'tap'
import { describePause, parseUntil } from '../../src/cli/pauses.ts'

const now = new Date('2026-10-03T10:00:00Z')
const until = (text: string): string => parseUntil(text, undefined, now)

t.test('an end is a length from now, or a time', t => {
  t.equal(until('30m'), '2026-10-03T10:30:00.000Z')
  t.equal(until('2h'), '2026-10-03T12:00:00.000Z')
  t.equal(until('1d'), '2026-10-04T10:00:00.000Z')
  t.equal(until('2026-10-03T18:00:00+02:00'), '2026-10-03T16:00:00.000Z')
  t.equal(until('2026-10-04'), '2026-10-04T00:00:00.000Z')
  t.end()
})

for (const text of ['2', 'tomorrow', '2 h', '-2h', '0h', '2026-13-01T00:00:00Z', '']) {
  t.test(`'${text}' is no end`, t => {
    t.throws(() => until(text), { code: 'commander.invalidArgument' })
    t.end()
  })
}

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
