import t from 'tap'
import { readFilter, withFilter } from '../../console/rules/filters.ts'

t.test('a filter survives its way through an address', t => {
  const address = withFilter('/console/jobs', { status: 'dead', code: 'A&B', connectionId: '', jobType: undefined })
  const query = Object.fromEntries(new URL(address, 'http://hub').searchParams)

  t.equal(address, '/console/jobs?status=dead&code=A%26B')
  t.strictSame(readFilter({ ...query, other: 'x', connectionId: '' }, ['status', 'code', 'connectionId']), {
    status: 'dead',
    code: 'A&B'
  })
  t.equal(withFilter('/console/jobs', {}), '/console/jobs')
  t.end()
})
