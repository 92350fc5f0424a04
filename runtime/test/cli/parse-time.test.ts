import t from 'tap'
import { parseFuture, parsePast } from '../../src/cli/parse-time.ts'

const now = new Date('2026-10-03T10:00:00Z')
const past = (text: string): string => parsePast(text, undefined, now)
const future = (text: string): string => parseFuture(text, undefined, now)

t.test('an age counts back from now, and a length ahead', async t => {
  t.strictSame(['30s', '90m', '24h', '7d'].map(past), [
    '2026-10-03T09:59:30.000Z',
    '2026-10-03T08:30:00.000Z',
    '2026-10-02T10:00:00.000Z',
    '2026-09-26T10:00:00.000Z'
  ])
  t.strictSame(['30m', '2h', '1d'].map(future), [
    '2026-10-03T10:30:00.000Z',
    '2026-10-03T12:00:00.000Z',
    '2026-10-04T10:00:00.000Z'
  ])
})

t.test('a date is its beginning in UTC, and a time has an offset', async t => {
  for (const parse of [past, future]) {
    t.equal(parse('2026-11-25'), '2026-11-25T00:00:00.000Z')
    t.equal(parse('2026-10-03T18:00:00+02:00'), '2026-10-03T16:00:00.000Z')
    t.equal(parse('2026-10-03t18:00z'), '2026-10-03T18:00:00.000Z')
    t.equal(parse('2026-10-03T18:00:00.5Z'), '2026-10-03T18:00:00.500Z')
  }
})

t.test('the error names the three forms, each with an example', async t => {
  const texts = [
    '',
    '2',
    'yesterday',
    '2 h',
    '-2h',
    '0h',
    '2026-13-01T00:00:00Z',
    '2026-02-30',
    '2026-10-03T18:00:00',
    '2026-10-03 18:00:00Z'
  ]
  for (const text of texts) {
    t.throws(() => past(text), {
      code: 'commander.invalidArgument',
      message: /a time \(2026-11-25T09:00:00Z\), a date \(2026-11-25, .*\) or an age \(90m, 24h, 7d\)$/
    }, text)
    t.throws(() => future(text), { message: /a date .* or a length from now \(30m, 2h, 1d\)$/ }, text)
  }
})
