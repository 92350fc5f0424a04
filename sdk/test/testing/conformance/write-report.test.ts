import { levelOf, type CheckResult } from '@linker/sdk/testing'
import t from 'tap'

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
