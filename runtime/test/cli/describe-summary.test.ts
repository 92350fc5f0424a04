import t from 'tap'
import { describeSample, describeSummary } from '../../src/cli/describe-summary.ts'
import type { ReplaySummary } from '../../src/webhooks/deliveries/schemas.ts'

const none: ReplaySummary = {
  dryRun: true,
  matched: 0,
  isMore: false,
  jobs: 0,
  alreadyReplayed: 0,
  ignored: [],
  refused: [],
  sample: [],
  replays: []
}

t.test('what matched is exact, unless the replay met a limit', async t => {
  t.strictSame(describeSummary({ ...none, matched: 900, jobs: 400, alreadyReplayed: 500 }, false), [
    '900 deliveries match',
    '400 would be replayed',
    '500 left out, because they had been replayed already; --include-replayed takes them too'
  ])
  t.strictSame(describeSummary({ ...none, matched: 900, isMore: true, jobs: 500, alreadyReplayed: 400 }, true), [
    'at least 900 deliveries match; one replay does not take all of them',
    '500 would be replayed',
    '400 of them had been replayed already'
  ])
})

t.test('one delivery is one', async t => {
  const ignored = [{ reason: 'unknown event type' as const, count: 1 }]
  t.strictSame(describeSummary({ ...none, dryRun: false, matched: 1, jobs: 1, ignored }, false), [
    '1 delivery matches',
    '1 was replayed',
    '1 stays ignored: unknown event type'
  ])
  t.strictSame(describeSummary({ ...none, matched: 1, isMore: true, jobs: 1 }, false), [
    'at least 1 delivery matches; one replay does not take all of them',
    '1 would be replayed'
  ])
})

t.test('others are counted by their reasons', async t => {
  const code = 'LNK_CONNECTION_DISABLED'
  t.strictSame(
    describeSummary({
      ...none,
      dryRun: false,
      matched: 3,
      ignored: [{ reason: 'unknown event type', count: 2 }],
      refused: [{ code, detail: 'it is disabled', count: 1 }]
    }, false).slice(1),
    ['0 were replayed', '2 stay ignored: unknown event type', `1 refused: ${code}: it is disabled`]
  )
})

t.test('a table that is cut says of how many it has the newest', async t => {
  const sample = Array.from<ReplaySummary['sample'][number]>({ length: 10 })

  t.strictSame(describeSample({ ...none, matched: 10, sample }), [])
  t.strictSame(describeSample({ ...none, matched: 11, sample }), ['the newest 10 of 11 that match:'])
  t.strictSame(describeSample({ ...none, matched: 600, isMore: true, sample }), [
    'the newest 10 of at least 600 that match:'
  ])
})
