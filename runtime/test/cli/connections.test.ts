import { Command } from 'commander'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { addConnections } from '../../src/cli/connections.ts'

const id = '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10'
const connection = {
  id,
  name: 'Taken',
  platformType: 'mkta',
  status: 'disabled',
  statusReason: null,
  pauses: [],
  adapterKey: 'mkta.api.v1',
  capabilities: [],
  config: {}
}
const answers: Record<string, unknown> = {
  '/connections': [connection],
  [`/connections/${id}`]: connection,
  [`/connections/${id}/webhooks/status`]: { webhooksConfigured: false, lastDeliveryAt: null },
  '/audit': [],
  'POST /connections': { ...connection, name: 'New', status: 'active' },
  [`/connections/${id}/test`]: { success: true, message: 'works', latencyMs: 1, checks: [] },
  '/adapters': [{
    platformType: 'mkta',
    adapterKey: 'mkta.api.v1',
    isDefault: true,
    authorisation: { path: '/connect', schema: { properties: { key: { secret: true } } } }
  }]
}

/** Runs `linker connections` against a server that tells what was asked. */
async function openCommand (t: Test) {
  const asked: string[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    const [path = ''] = url.split('?')
    asked.push(`${method} ${path}`)
    const answer = answers[`${method} ${path}`] ?? answers[path]
    text(request).then(body => {
      bodies.push(body)
      response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}))
    }, () => {
      response.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const printed = t.capture(console, 'log', () => undefined)
  return {
    asked,
    bodies,
    printed: () => printed().map(({ args: [text] }) => text as unknown),
    async run (...args: string[]): Promise<void> {
      const program = new Command()
      addConnections(program)
      await program.parseAsync(['connections', ...args, '--url', url, '--token', 'x'.repeat(32)], { from: 'user' })
    }
  }
}

const create = (...args: string[]) => ['create', '--platform', 'mkta', '--name', 'Taken', ...args]

t.test('create refuses a taken name before it reads a secret', async t => {
  const { run, asked } = await openCommand(t)

  await t.rejects(run(...create('--credentials', '@nowhere')), { message: /^the name 'Taken' is taken by / })
  t.strictSame(asked, ['GET /connections'])
})

t.test('create refuses options of a wrong form before it asks the hub', async t => {
  const { run, asked } = await openCommand(t)

  await t.rejects(run(...create('--config', '{')), { message: '--config is not JSON' })
  await t.rejects(run(...create('--credentials', '@')), {
    message: '--credentials: @ must be followed by the path of a file'
  })
  for (const [config = '', credentials = ''] of [['-', '-'], ['@-', '-'], ['-', '@-']]) {
    await t.rejects(run(...create('--config', config, '--credentials', credentials)), {
      message: /^standard input can hold the config or the credentials/
    })
  }
  t.strictSame(asked, [])
})

t.test('create does not repeat the path of a file that it cannot read', async t => {
  const { run } = await openCommand(t)
  const args = ['create', '--platform', 'mkta', '--name', 'New', '--credentials', '@canary']

  await t.rejects(run(...args), { message: /^--credentials: cannot read the file after @: ENOENT$/ })
})

t.test('authorise refuses a taken name before it reads a secret', async t => {
  const { run, asked } = await openCommand(t)

  await t.rejects(run('authorise', 'mkta', '--name', 'Taken', '--secret', 'key=nowhere'), {
    message: /^the name 'Taken' is taken by /
  })
  t.strictSame(asked, ['GET /adapters', 'GET /connections'])
})

t.test('show asks the audit only for the text', async t => {
  const { run, asked, printed } = await openCommand(t)
  await run('show', id, '--json')
  const askedForJson = asked.splice(0)
  await run('show', id)

  t.strictSame(askedForJson, [`GET /connections/${id}`, `GET /connections/${id}/webhooks/status`])
  t.ok(asked.includes('GET /audit'))
  t.equal(printed().length, 2)
})

t.test('a connection that is created paused says how its jobs begin', async t => {
  const { bodies, printed, run } = await openCommand(t)
  await run('create', '--platform', 'mkta', '--name', 'New', '--paused')

  t.ok(bodies.some(body => body !== '' && JSON.parse(body).paused === true))
  t.ok(printed().includes('paused; `linker connections resume New` lets its jobs run'))
})
