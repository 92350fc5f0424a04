import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { openProject } from '../support/command.ts'
import { hasProgram } from '../support/interpreters.ts'
import { runOnTerminal } from '../support/run-on-terminal.ts'

t.test('a hub from the packages opens its log on a terminal', async t => {
  if (!hasProgram(t, 'python3')) return
  // The hub opens its log first, and then ends because another server has its port.
  const taken = createServer()
  await once(taken.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo

  t.match(await runOnTerminal(['start'], await openProject(t), { PORT: String(port) }), /EADDRINUSE/)
})
