import t from 'tap'
import { canReplay, leftOutOf, reasonOfDelivery, type ReplaySummary } from '../../console/rules/deliveries.ts'

const summary: ReplaySummary = {
  dryRun: true,
  matched: 6,
  isMore: false,
  jobs: 2,
  alreadyReplayed: 1,
  ignored: [{ reason: 'test', count: 2 }],
  refused: [{ code: 'LNK_CONNECTION_DISABLED', detail: 'it is disabled', count: 1 }],
  sample: [],
  replays: []
}

t.test('a plan says which deliveries it leaves out, and why', async t => {
  t.strictSame(leftOutOf(summary, false), [
    '1 left out: an earlier replay succeeded or has not ended',
    '2 stay ignored: test',
    '1 refused: LNK_CONNECTION_DISABLED: it is disabled'
  ])
  t.equal(leftOutOf(summary, true)[0], '1 of them had been replayed already')
  t.strictSame(leftOutOf({ ...summary, alreadyReplayed: 0, ignored: [], refused: [] }, false), [])
})

t.test('the reason of a delivery is the first that its event met', async t => {
  const problem = { code: 'LNK_X', message: 'no' }

  t.equal(reasonOfDelivery({ ignored: 'unwanted event type', waitsFor: null, problem: null }), 'unwanted event type')
  t.equal(reasonOfDelivery({ waitsFor: { reason: 'budget', detail: 'used up' }, problem }), 'budget: used up')
  t.equal(reasonOfDelivery({ waitsFor: null, problem }), 'LNK_X: no')
})

t.test('a delivery can be replayed until its data go', async t => {
  const replayableUntil = '2026-01-31T10:00:00.000Z'

  t.equal(canReplay({ replayableUntil }, Date.parse(replayableUntil) - 1), true)
  t.equal(canReplay({ replayableUntil }, Date.parse(replayableUntil)), false)
})
