import t from 'tap'
import { describeDrift } from '../../src/cli/record-adapters.ts'

t.test('each difference is a line, with what it newly permits below it', async t => {
  t.strictSame(
    describeDrift([
      { kind: 'added', adapter: 'a', message: 'a is new', grown: ['start jobs on a schedule'] },
      { kind: 'changed', adapter: 'b', message: 'b has other files', grown: [] },
      { kind: 'removed', adapter: 'c', message: 'c is gone', grown: [] }
    ]),
    ['+ a is new', '    now it may also start jobs on a schedule', '~ b has other files', '- c is gone']
  )
})
