import t from 'tap'
import { describeProgress, figuresOf, type FateCount } from '../../../src/jobs/redrive/figures.ts'

const sampleJobId = '11111111-1111-4111-8111-111111111111'
const counted = (fate: FateCount['fate'], count: number, reason: string | null = null): FateCount => ({
  fate,
  count,
  reason,
  sampleJobId
})

t.test('no jobs make zeros', async t => {
  t.strictSame(figuresOf([]), {
    total: 0,
    retried: 0,
    succeeded: 0,
    deadAgain: 0,
    cancelled: 0,
    inProgress: 0,
    skipped: [],
    remaining: 0,
    deaths: []
  })
})

t.test('each fate is counted once, and retried jobs are those that ran again whatever their end', async t => {
  const figures = figuresOf([
    counted('left', 100),
    counted('retried', 20),
    counted('succeeded', 7),
    counted('dead', 4, 'LNK_ADAPTER_TRANSIENT'),
    counted('dead', 2, 'LNK_ADAPTER_REJECTED'),
    counted('dead', 1),
    counted('cancelled', 3, 'LNK_JOB_CANCELLED'),
    counted('skipped', 5, 'not-dead'),
    counted('skipped', 6, 'connection-disabled')
  ])

  t.strictSame(figures, {
    total: 148,
    retried: 37,
    succeeded: 7,
    deadAgain: 7,
    cancelled: 3,
    inProgress: 20,
    skipped: [{ reason: 'not-dead', count: 5 }, { reason: 'connection-disabled', count: 6 }],
    remaining: 100,
    deaths: [
      { code: 'LNK_ADAPTER_TRANSIENT', count: 4, sampleJobId },
      { code: 'LNK_ADAPTER_REJECTED', count: 2, sampleJobId },
      { code: null, count: 1, sampleJobId }
    ]
  })
})

t.test('a sentence says how far it is, and that jobs died again', async t => {
  const first = figuresOf([counted('left', 9), counted('succeeded', 1)])
  const failed = figuresOf([counted('left', 9), counted('dead', 1, 'LNK_ADAPTER_REJECTED')])
  const under = figuresOf([counted('retried', 10)])

  t.match(describeProgress('waiting', first), /did not die again; 9 jobs wait/)
  t.match(describeProgress('waiting', failed), /^1 of the first 1 jobs died again; 9 jobs wait/)
  t.match(describeProgress('stopped', failed), /stopped; 9 jobs stay dead; 1 of 1 jobs died again/)
  t.match(describeProgress('running', first), /^9 jobs have yet to run again$/)
  t.match(describeProgress('running', under), /^it waits for the ends of 10 jobs$/)
  t.match(describeProgress('done', figuresOf([counted('succeeded', 3)])), /^all 3 jobs have ended$/)
})
