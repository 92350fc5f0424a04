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

  t.match(describeProgress('waiting', first), /^the first job did not die again; 9 jobs wait until/)
  t.match(describeProgress('waiting', failed), /^the first job died again; 9 jobs wait/)
  t.match(describeProgress('stopped', failed), /stopped; it has not run 9 jobs; 1 job died again$/)
  t.match(describeProgress('running', first), /^9 jobs have yet to run again$/)
  t.match(describeProgress('running', under), /^it waits for the end of 10 jobs$/)
  t.match(describeProgress('done', figuresOf([counted('succeeded', 3)])), /^all 3 jobs that ran again have ended$/)
})

t.test('the sentence says how many were skipped, and counts one job as one', async t => {
  const skipped = (count: number) => counted('skipped', count, 'not-dead')
  const left = counted('left', 1)
  const dead = (count: number) => counted('dead', count, 'LNK_ADAPTER_REJECTED')
  const cases: [Parameters<typeof describeProgress>[0], FateCount[], string][] = [
    ['done', [counted('succeeded', 3), skipped(497)], 'all 3 jobs that ran again have ended; 497 were skipped'],
    ['done', [dead(1), skipped(1)], 'the job that ran again has ended; 1 was skipped; 1 job died again'],
    ['done', [skipped(5)], 'no job ran again; 5 were skipped'],
    ['done', [], 'no dead job met the filter'],
    [
      'waiting',
      [left, counted('succeeded', 2)],
      'the first 2 jobs did not die again; 1 job waits until somebody ' +
      'continues or stops it'
    ],
    [
      'waiting',
      [left, dead(1), counted('succeeded', 2)],
      '1 of the first 3 jobs died again; 1 job waits until ' +
      'somebody continues or stops it'
    ],
    ['stopped', [left], 'it was stopped; it has not run 1 job'],
    ['running', [left], '1 job has yet to run again'],
    ['running', [counted('retried', 1)], 'it waits for the end of 1 job']
  ]
  for (const [state, counts, sentence] of cases) t.equal(describeProgress(state, figuresOf(counts)), sentence)
})
