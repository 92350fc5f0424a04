import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { createApi } from '../support/api.ts'
import { demosLeft } from '../support/demos.ts'
import { runShell } from '../support/shell.ts'

const leftBehind = await demosLeft()

t.test('npm run demo stays until a signal ends it, and leaves nothing behind', async t => {
  const demo = runShell(t, 'npm run demo')
  const [, url = ''] = await demo.line(/The hub runs on at (http:\S+) /)
  const [, token = ''] = await demo.line(/^Its token: (\S+)$/)
  t.match(demo.lines.filter(line => line !== '' && !/^(>|npm warn)/.test(line))[0], /^The demo starts/)
  t.equal((await createApi(url, token)('GET', '/connections')).status, 200)
  demo.signal('SIGINT')
  await demo.ended

  t.strictSame(await leftBehind(), [])
})

t.test('a demo that cannot start says so, exits with 1 and leaves nothing behind', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const demo = runShell(t, 'npm run demo -- --once', { PORT: String((taken.address() as AddressInfo).port) })

  t.equal(await demo.ended, 1)
  t.match(demo.lines.at(-1), /^demo: .*EADDRINUSE/)
  t.strictSame(await leftBehind(), [])
})
