import t from 'tap'
import { checks as all } from '../../../src/testing/conformance/checks.ts'
import type { Outcome } from '../../../src/testing/conformance/protocol.ts'
import { experimentsOf, runChecks } from '../../../src/testing/conformance/run-conformance.ts'
import { createSubject, type Subject } from '../../../src/testing/conformance/subject.ts'
import type { Run } from '../../../src/testing/conformance/threads.ts'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'

// Without recordings every check over them is skipped: level-3.slow.test.ts.
const checks = all.filter(({ level }) => level < 3)

/**
 * The part of the adapter that a check judges: its files; its import; the functions of its start;
 * or calls, by the least that they must have done.
 */
type Judged = 'files' | 'import' | 'start' | 'work' | 'answers' | 'requests'

/** For every check, the part of the adapter without which it must not pass. */
const judged: Readonly<Record<string, Judged>> = {
  'L1-MAN-01': 'files',
  'L1-MAN-02': 'files',
  'L1-MAN-03': 'files',
  'L1-MAN-04': 'files',
  'L1-MAN-05': 'files',
  'L1-MAN-06': 'files',
  'L1-MAN-07': 'files',
  'L1-MAN-09': 'files',
  'L1-MAN-08': 'import',
  'L1-IMP-01': 'import',
  'L1-IMP-02': 'import',
  'L1-IMP-03': 'import',
  'L1-IMP-04': 'import',
  'L1-IMP-05': 'import',
  'L1-IMP-06': 'import',
  'L1-SHP-01': 'import',
  'L1-SHP-02': 'import',
  'L1-SHP-03': 'import',
  'L1-SHP-04': 'import',
  'L1-SHP-05': 'import',
  'L1-SHP-06': 'start',
  'L1-SHP-07': 'import',
  'L1-SHP-08': 'import',
  'L1-SHP-13': 'import',
  'L1-PRM-01': 'import',
  'L1-SEC-01': 'import',
  'L1-SHP-09': 'import',
  'L1-SHP-10': 'import',
  'L1-SHP-11': 'import',
  'L1-SHP-12': 'import',
  'L1-RUN-01': 'work',
  'L1-RUN-02': 'import',
  'L1-RUN-03': 'work',
  'L1-RUN-04': 'start',
  'L1-RUN-05': 'answers',
  'L1-RUN-06': 'work',
  'L1-RUN-07': 'work',
  'L1-RUN-08': 'import',
  'L2-ERR-01': 'requests',
  'L2-ERR-02': 'requests',
  'L2-ERR-03': 'requests',
  'L2-ERR-04': 'requests',
  'L2-ERR-05': 'requests',
  'L2-ERR-06': 'requests',
  'L2-ERR-07': 'requests',
  'L2-ERR-08': 'requests',
  'L2-ERR-09': 'requests',
  'L2-ERR-10': 'requests',
  'L2-ERR-11': 'requests',
  'L2-ERR-12': 'requests',
  'L2-ERR-13': 'requests',
  'L2-ERR-14': 'requests',
  'L2-ERR-15': 'requests',
  'L2-ERR-16': 'requests',
  'L2-ERR-17': 'requests',
  'L2-ERR-18': 'requests',
  'L2-ERR-19': 'requests',
  'L2-ERR-20': 'requests',
  'L2-ERR-21': 'requests',
  'L2-ERR-22': 'requests',
  'L2-ANS-01': 'answers',
  'L2-ANS-02': 'answers',
  'L2-ANS-03': 'answers',
  'L2-ANS-04': 'answers',
  'L2-ANS-05': 'answers',
  'L2-ANS-06': 'answers',
  'L2-ACC-01': 'requests',
  'L2-ACC-02': 'answers',
  'L2-ACC-03': 'answers',
  'L2-SEC-01': 'work',
  'L2-SEC-02': 'requests',
  'L2-SEC-03': 'answers',
  'L2-SEC-04': 'work',
  'L2-SEC-05': 'requests',
  'L2-SEC-06': 'requests',
  'L2-ABT-01': 'requests',
  'L2-ABT-02': 'requests',
  'L2-PRM-01': 'requests',
  'L2-PRM-02': 'requests',
  'L2-PRM-03': 'requests',
  'L2-PRM-04': 'work',
  'L2-PRM-05': 'requests'
}

const withOutcomes = (run: Run, change: (outcomes: Outcome[]) => Outcome[]): Run => ({
  ...run,
  ...run.report === undefined ? {} : {
    report: {
      ...run.report,
      results: run.report.results.map(result => ({ ...result, outcomes: change(result.outcomes) }))
    }
  }
})

const withoutOutcomes = (run: Run): Run => withOutcomes(run, () => [])
const withoutAnswers = (run: Run): Run =>
  withOutcomes(run, outcomes =>
    outcomes.map(({ value, ...outcome }) => ({
      ...outcome,
      error: outcome.error ?? { name: 'TransientError', code: 'LNK_ADAPTER_TRANSIENT', message: String(value) }
    })))
const withoutRequests = (run: Run): Run => ({ ...run, arrivals: new Map(), leftOpen: [] })

const changing = (member: 'run' | 'started', change: (run: Run) => Run) => (subject: Subject): Subject => ({
  ...subject,
  [member]: async () => change(await subject[member]())
})

/** Harnesses that swallow a part of what the adapter did, and the parts that are then not there. */
const swallowing: readonly { how: string, without: readonly Judged[], harness: (subject: Subject) => Subject }[] = [
  {
    how: 'the thread reports no import',
    without: ['import', 'start', 'work', 'answers', 'requests'],
    harness: subject => ({ ...subject, imported: async () => ({ printed: '', endsByItself: true }) })
  },
  {
    how: 'the thread calls no function of the start',
    without: ['start'],
    harness: changing('started', withoutOutcomes)
  },
  {
    how: 'the thread makes no call',
    without: ['work', 'answers', 'requests'],
    harness: changing('run', run => withoutRequests(withoutOutcomes(run)))
  },
  {
    how: 'the thread reports the end of no call',
    without: ['work', 'answers', 'requests'],
    harness: changing('run', withoutOutcomes)
  },
  {
    how: 'the thread does not report the end of one call',
    without: ['work', 'answers', 'requests'],
    harness: changing('run', run => withOutcomes(run, outcomes => outcomes.slice(1)))
  },
  {
    how: 'every call fails before it asks the platform',
    without: ['work', 'answers', 'requests'],
    harness: changing('run', run => withoutRequests(withoutAnswers(run)))
  },
  { how: 'the platform is never asked', without: ['requests'], harness: changing('run', withoutRequests) },
  { how: 'no call answers', without: ['answers'], harness: changing('run', withoutAnswers) }
]

t.test('no check passes when the calls that it judges were skipped', async t => {
  const { directory, remove } = await writeAdapter(goodAdapter())
  t.teardown(remove)
  const subject = await createSubject(directory, experimentsOf(checks), { ...limits, importMs: 10_000 })
  const passedBy = async (tested: Subject): Promise<string[]> =>
    (await runChecks(tested, checks)).filter(({ status }) => status === 'passed').map(({ id }) => id)

  t.strictSame(Object.keys(judged), checks.map(({ id }) => id), 'every check has a row')
  t.strictSame(await passedBy(subject), Object.keys(judged), 'every check passes while nothing is skipped')
  for (const { how, without, harness } of swallowing) {
    const expected = Object.entries(judged).filter(([, part]) => !without.includes(part)).map(([id]) => id)
    t.strictSame(await passedBy(harness(subject)), expected, how)
  }
})
