import t from 'tap'
import { canStop, describeSkip, leastMs, partsOf, trialOf, type Redrive } from '../../console/rules/redrives.ts'

const redrive: Redrive = {
  id: 'r1',
  state: 'waiting',
  detail: '',
  filter: { jobType: 'offer.update' },
  first: 1,
  perMinute: null,
  total: 10,
  retried: 1,
  succeeded: 1,
  deadAgain: 0,
  cancelled: 0,
  inProgress: 0,
  skipped: [{ reason: 'not-dead', count: 2 }],
  remaining: 7,
  deaths: [],
  atMost: false,
  startedAt: '2026-01-31T10:00:00.000Z',
  startedBy: { kind: 'token', name: 'ada', tokenId: null },
  endedAt: null
}

t.test('the slower pace decides how long a redrive takes at the least', async t => {
  t.equal(leastMs(500, { ratePerSecond: 2 }), 250_000)
  t.equal(leastMs(500, { ratePerSecond: 20, perMinute: 60 }), 500_000)
  t.equal(leastMs(500, { perMinute: 100 }), 300_000)
  t.equal(leastMs(500, {}), undefined)
  t.equal(leastMs(500, { ratePerSecond: 0 }), undefined)
})

t.test('the parts of a redrive add up to its jobs', async t => {
  t.strictSame(partsOf(redrive).map(({ name, count }) => [name, count]), [
    ['succeeded', 1],
    ['skipped', 2],
    ['not yet run', 7]
  ])
})

t.test('the first jobs decide whether to go on', async t => {
  t.equal(trialOf(redrive), 'well')
  t.equal(trialOf({ ...redrive, succeeded: 0, deadAgain: 1 }), 'badly')
  t.equal(trialOf({ ...redrive, state: 'running', succeeded: 0, inProgress: 1 }), 'running')
  t.equal(trialOf({ ...redrive, state: 'running', succeeded: 4 }), undefined)
  t.equal(trialOf({ ...redrive, first: null }), undefined)
  t.equal(canStop(redrive), true)
  t.equal(canStop({ ...redrive, state: 'done' }), false)
})

t.test('a reason that only a newer hub knows is shown as it is', async t => {
  t.equal(describeSkip('connection-disabled'), 'the connection is disabled')
  t.equal(describeSkip('of-tomorrow'), 'of-tomorrow')
})
