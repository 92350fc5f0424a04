import { levelOf, runConformance, type CheckResult } from '@linker/sdk/testing'
import t from 'tap'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'

type Judged = Pick<CheckResult, 'level' | 'status'>

const [one, two, three] = ([1, 2, 3] as const).map((level): Judged => ({ level, status: 'passed' }))
const judged = (level: 1 | 2 | 3, status: CheckResult['status']): Judged => ({ level, status })

t.test('the level is the highest of which a check passed, and no check up to it failed', async t => {
  const levels: [number, (Judged | undefined)[]][] = [
    [3, [one, two, three]],
    [2, [one, two, judged(3, 'skipped')]],
    [2, [one, two, three, judged(3, 'failed')]],
    [1, [one, two, judged(2, 'failed'), three]],
    [1, [one, judged(2, 'skipped'), three]],
    [0, [one, judged(1, 'failed'), two, three]],
    [2, [one, two, judged(2, 'exempt')]],
    [0, []]
  ]
  for (const [level, checks] of levels) t.equal(levelOf(checks.filter(check => check !== undefined)), level)
})

t.test('the first report is missing from files before it is there, and is not asked of others', async t => {
  const { directory, remove } = await writeAdapter(goodAdapter())
  t.teardown(remove)
  const judgeFiles = async (writesReport: boolean) => {
    const { checks } = await runConformance(directory, { only: ['L1-MAN-06'], limits, writesReport })
    return checks.map(({ status, findings }) => ({ status, findings }))
  }

  t.strictSame(await judgeFiles(false), [{ status: 'passed', findings: [] }])
  t.strictSame(await judgeFiles(true), [{
    status: 'failed',
    findings: [{ message: 'files does not take linker.conformance-report.json' }]
  }])
})
