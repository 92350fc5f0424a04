import t from 'tap'
import { failed, messageOf, ok, warning } from '../../../src/cli/doctor/finding.ts'

t.test('each mark says how bad a finding is', async t => {
  t.strictSame(ok('node', 'v24'), { mark: 'ok', check: 'node', message: 'v24' })
  t.strictSame(warning('jobs', '3 dead', 'look'), {
    mark: 'warning',
    check: 'jobs',
    message: '3 dead',
    remedy: 'look'
  })
  t.strictSame(failed('redis', 'away', 'start it'), {
    mark: 'failed',
    check: 'redis',
    message: 'away',
    remedy: 'start it'
  })
})

t.test('an error without a text is named by its code, and without a code by its name', async t => {
  // Node joins the errors of several addresses into one that has no text.
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })

  t.equal(messageOf(new Error('no such file')), 'no such file')
  t.equal(messageOf(refused), 'ECONNREFUSED')
  t.equal(messageOf(new TypeError('')), 'TypeError')
  t.equal(messageOf('thrown text'), 'thrown text')
})
