import t from 'tap'
import { timeOf } from '../../console/rules/past.ts'

const nowMs = Date.parse('2026-01-31T10:00:00.000Z')

t.test('an age counts back from now', async t => {
  t.equal(timeOf('90m', nowMs), '2026-01-31T08:30:00.000Z')
  t.equal(timeOf('7d', nowMs), '2026-01-24T10:00:00.000Z')
})

t.test('a time or a date is told as the hub takes it', async t => {
  t.equal(timeOf('2026-01-31T10:00+01:00', nowMs), '2026-01-31T09:00:00.000Z')
  t.equal(timeOf('2026-01-31', nowMs), '2026-01-31T00:00:00.000Z')
  t.equal(timeOf(undefined, nowMs), undefined)
})

t.test('the hub judges every other text', async t => {
  t.equal(timeOf('yesterday', nowMs), 'yesterday')
  t.equal(timeOf('2026-01-31T10:00', nowMs), '2026-01-31T10:00')
})
