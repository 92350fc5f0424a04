import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import t from 'tap'
import { createApi, eventually } from '../support/api.ts'
import { bundledLinker } from '../support/bundle.ts'
import { openProject } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { cheapestMode, openMode } from '../support/modes.ts'

t.test('a hub goes on when nobody reads its output any more, or the disk of its output is full', async t => {
  const outputs: Record<string, StdioOptions> = {
    'closed after the first line': ['ignore', 'pipe', 'ignore'],
    'standard error closed at once': ['ignore', 'ignore', 'pipe'],
    'both on a full disk': ['ignore', openSync('/dev/full', 'w'), openSync('/dev/full', 'w')]
  }
  for (const [name, stdio] of Object.entries(outputs)) {
    const { variables, close } = await openMode(cheapestMode(process.env), process.env)
    t.teardown(close)
    const port = await freePort()
    const hub = spawn(process.execPath, [bundledLinker, 'start'], {
      cwd: await openProject(t),
      env: { ...process.env, ...variables, PORT: String(port) },
      stdio
    })
    const exited = once(hub, 'exit')
    t.teardown(() => hub.kill('SIGKILL'))
    hub.stdout?.once('data', () => hub.stdout?.destroy())
    hub.stderr?.destroy()
    const call = createApi(`http://127.0.0.1:${port}`, '')
    const isUp = async (): Promise<true | undefined> => {
      if (hub.exitCode !== null) throw new Error(`${name}: the hub ended with ${hub.exitCode}`)
      return call('GET', '/readyz').then(({ status }) => status === 200 ? true : undefined, () => undefined)
    }

    t.equal(await eventually('the hub to answer', isUp), true, name)
    hub.kill('SIGINT')
    t.strictSame(await exited, [0, null], name)
  }
})
