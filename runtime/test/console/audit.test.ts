import t from 'tap'
import { addressOfEntry, mayLeadToJobs, nameOfObject, shownChange } from '../../console/rules/audit.ts'

t.test('an entry leads to the page of its object', async t => {
  const of = (action: string, objectId: string | null, connectionId: string | null = null) =>
    addressOfEntry({ action, objectId, connectionId })

  t.equal(of('job.retry', 'j'), '/console/jobs/j')
  t.equal(of('job.redrive.stop', 'r', 'c'), '/console/redrives/r')
  t.equal(of('delivery.replay', null, 'c'), '/console/connections/c')
  t.equal(of('token.create', 't'), '/console/access')
  t.equal(of('schedule.change', 's', 'c'), '/console/connections/c')
  t.equal(of('log-level.set', null), undefined)
})

t.test('an object is called as it was called then', async t => {
  t.equal(nameOfObject({ objectName: 'My shop', objectId: 'c' }), 'My shop')
  t.equal(nameOfObject({ objectName: null, objectId: '0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30' }), '0198c3a1')
  t.equal(nameOfObject({ objectName: null, objectId: null }), '')
})

t.test('a change has what was there before and after', async t => {
  t.strictSame(shownChange({ pointer: '/config/a~1b', from: { every: 5 }, to: 'off' }), {
    name: 'config/a/b',
    before: '{"every":5}',
    after: 'off',
    isSecret: false
  })
  t.strictSame(shownChange({ pointer: '/apiKey', isSecret: true }), {
    name: 'apiKey',
    before: undefined,
    after: undefined,
    isSecret: true
  })
})

t.test('signing in leads to no job', async t => {
  t.equal(mayLeadToJobs({ action: 'job.retry', requestId: 'r' }), true)
  t.equal(mayLeadToJobs({ action: 'job.retry', requestId: null }), false)
  t.equal(mayLeadToJobs({ action: 'session.begin', requestId: 'r' }), false)
})
