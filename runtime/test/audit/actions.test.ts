import t from 'tap'
import { findActionProblem, storedAction } from '../../src/audit/actions.ts'

const commands = ['POST /jobs', 'PATCH /connections/:id/disable', 'DELETE /offers/:id']

t.test('changes with a name, commands of the hub and routes of adapters are actions', async t => {
  for (const action of ['connection.disable', 'POST /jobs', 'POST /integrations/mkta/connections/:id/x']) {
    t.equal(findActionProblem(action, commands), undefined, action)
  }
})

t.test('an action may be spelled as in the description of the API', async t => {
  t.equal(storedAction('POST /connections/{id}/cursors/{key}'), 'POST /connections/:id/cursors/:key')
  t.equal(storedAction('connection.disable'), 'connection.disable')
})

t.test('another text is refused with the actions that share the most words with it', async t => {
  t.equal(
    findActionProblem('connection.disabled', commands),
    'is not an action; similar ones are connection.disable'
  )
  t.equal(findActionProblem('POST /job', commands), 'is not an action; similar ones are POST /jobs')
  t.equal(findActionProblem('disable', commands), 'is not an action; similar ones are connection.disable')
  t.match(
    findActionProblem('connection.update', ['GET /connections/:id/updates', ...commands]),
    /^is not an action; similar ones are connection\.account, connection\.budget, /
  )
  t.match(findActionProblem('job', commands), /^is not an action; similar ones are job\.cancel, job\.redrive, /)
})

t.test('a text like no action is refused with all of them', async t => {
  t.match(
    findActionProblem('x', commands),
    /the actions are connection\.account, .*webhooks\.install, and commands by method and route, such as POST \/jobs$/
  )
})
