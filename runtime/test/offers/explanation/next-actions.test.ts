import t from 'tap'
import {
  chooseBuffer,
  enableConnection,
  linkOffer,
  previewReconcile,
  removeMaxListed,
  resumeCapability,
  resumeConnection,
  retryJob,
  unlinkOffer
} from '../../../src/offers/explanation/next-actions.ts'

t.test('an action is a command and the same call', async t => {
  t.strictSame(retryJob('j1'), {
    command: 'linker jobs retry j1',
    call: { method: 'POST', path: '/jobs/j1/retry', body: null }
  })
  t.strictSame(enableConnection('c1').call, { method: 'PATCH', path: '/connections/c1/enable', body: null })
  t.strictSame(previewReconcile('c1').call, {
    method: 'POST',
    path: '/stock/reconcile',
    body: { connectionId: 'c1', dryRun: true }
  })
  t.strictSame(removeMaxListed('o1').call, { method: 'PATCH', path: '/offers/o1', body: { maxListed: null } })
  t.strictSame(unlinkOffer('o1'), { command: null, call: { method: 'DELETE', path: '/offers/o1', body: null } })
})

t.test('a resume names the capability that is paused', async t => {
  t.strictSame(resumeConnection('c1').call, { method: 'POST', path: '/connections/c1/resume', body: null })
  t.match(resumeCapability('c1', 'OrderSource'), {
    command: 'linker connections resume c1 --capability OrderSource',
    call: { body: { capabilities: ['OrderSource'] } }
  })
})

t.test('a command with a word to fill in has no call', async t => {
  t.strictSame(resumeCapability('c1', undefined), {
    command: 'linker connections resume c1 --capability CAPABILITY',
    call: null
  })
  t.equal(chooseBuffer('o1').call, null)
  t.equal(linkOffer('m1', 'e1').call, null)
})
