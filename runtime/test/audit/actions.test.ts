import t from 'tap'
import { findActionProblem } from '../../src/audit/actions.ts'

const commands = ['POST /jobs', 'PATCH /connections/:id/disable', 'DELETE /offers/:id']

t.test('changes with a name, commands of the hub and routes of adapters are actions', async t => {
  for (const action of ['connection.disable', 'POST /jobs', 'POST /integrations/mkta/connections/:id/x']) {
    t.equal(findActionProblem(action, commands), undefined, action)
  }
})

t.test('another text is refused with the actions that share a word with it, most words first', async t => {
  t.match(
    findActionProblem('connection.disabled', commands),
    /^is not an action; similar ones are connection\.disable, PATCH \/connections\/:id\/disable, connection\.budget, /
  )
  t.equal(
    findActionProblem('POST /job', commands),
    'is not an action; similar ones are POST /jobs, job.cancel, ' +
      'job.redrive, job.redrive.continue, job.redrive.stop, job.retry'
  )
})

t.test('a text like no action is refused with all of them', async t => {
  t.match(
    findActionProblem('x', commands),
    /the actions are connection\.budget, .*webhooks\.install, and commands by method and route, such as POST \/jobs$/
  )
})
