import t from 'tap'
import { shownStatus } from '../../console/rules/connection-status.ts'

t.test('a pause shows in the state of an active connection only', async t => {
  const [whole, part] = [{ capability: null }, { capability: 'OrderSource' }]

  t.equal(shownStatus({ status: 'active', pauses: [] }), 'active')
  t.equal(shownStatus({ status: 'active', pauses: [part] }), 'partly paused')
  t.equal(shownStatus({ status: 'active', pauses: [whole, part] }), 'paused')
  t.equal(shownStatus({ status: 'error', pauses: [whole] }), 'error')
})
