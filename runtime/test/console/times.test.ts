import t from 'tap'
import { axisTimes } from '../../console/rules/axis-times.ts'
import { queryOf } from '../../console/rules/spans.ts'
import { duration, relativeTime } from '../../console/rules/times.ts'

const now = Date.parse('2026-11-27T12:00:00Z')

t.test('a time is told by its distance', t => {
  const texts = {
    0: 'now',
    59_000: '59 sec. ago',
    90_000: '1 min. ago',
    7_200_000: '2 hr. ago',
    90_000_000: 'yesterday'
  }
  for (const [ms, text] of Object.entries(texts)) t.equal(relativeTime(now - Number(ms), now, 'en-US'), text, ms)
  t.equal(relativeTime(now + 300_000, now, 'en-US'), 'in 5 min.')
  t.end()
})

t.test('a length of time has one unit', t => {
  const texts = {
    12: '12 ms',
    1_440: '1.4 s',
    45_000: '45 s',
    600_000: '10 min',
    10_800_000: '3 h',
    864_000_000: '10 days'
  }
  for (const [ms, text] of Object.entries(texts)) t.equal(duration(Number(ms)), text)
  t.end()
})

t.test('the axis has the date where a day begins', t => {
  const seconds = [-2, -1, 0, 1].map(hours => Date.parse('2026-11-27T00:00:00Z') / 1_000 + hours * 3_600)

  t.strictSame(axisTimes(seconds, 'en-GB', 'UTC'), ['22:00\n26 Nov', '23:00', '00:00\n27 Nov', '01:00'])
  t.strictSame(axisTimes([0, 86_400], 'en-GB', 'UTC'), ['1 Jan', '2 Jan'])
  t.end()
})

t.test('a span ends now unless two times were dragged', t => {
  t.strictSame(queryOf({}, now), { from: '2026-11-26T12:00:00.000Z' })
  t.strictSame(queryOf({ span: '1h' }, now), { from: '2026-11-27T11:00:00.000Z' })
  t.strictSame(queryOf({ span: 'toString' }, now), { from: '2026-11-26T12:00:00.000Z' })
  const dragged = { from: '2026-11-27T08:00:00Z', to: '2026-11-27T09:00:00Z' }
  t.strictSame(queryOf({ span: '1h', ...dragged }, now), dragged)
  t.strictSame(queryOf({ from: dragged.to, to: dragged.from }, now), { from: '2026-11-26T12:00:00.000Z' })
  t.end()
})
