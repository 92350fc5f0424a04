import { Command } from 'commander'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { addConnections } from '../../src/cli/connections.ts'

const id = '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10'
const formerId = '11111111-1111-4111-8111-111111111111'
const connection = {
  id,
  name: 'Taken',
  platformType: 'mkta',
  status: 'disabled',
  statusReason: null,
  pauses: [],
  adapterKey: 'mkta.api.v1',
  capabilities: [],
  config: {},
  settings: {},
  account: null as { name: string | null, takesOrders: boolean } | null,
  ordersSince: null as string | null
}
const answers: Record<string, unknown> = {
  '/connections': [connection],
  [`/connections/${id}`]: connection,
  [`/connections/${id}/webhooks/status`]: { webhooksConfigured: false, lastDeliveryAt: null },
  '/audit': [],
  '/connections/health': [],
  '/connections/deleted': [{ id: formerId, name: 'Former' }],
  'POST /connections': {
    ...connection,
    name: 'New',
    status: 'active',
    warnings: [{
      pointer: '/takeOver',
      code: 'deleted-account',
      message: "connection 'Former'\nopened the same account"
    }]
  },
  [`POST /connections/${id}/take-over`]: { taken: [{ what: 'orders', count: 3 }, { what: 'cursors', count: 1 }] },
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

t.test('create names the connection to take over by its name, and prints the warnings of the hub', async t => {
  const { bodies, printed, run } = await openCommand(t)
  await run('create', '--platform', 'mkta', '--name', 'New', '--take-over', 'Former', '--allow-same-account')

  t.match(bodies.filter(body => body.includes('"name":"New"')).map(body => JSON.parse(body) as object), [
    { takeOver: formerId, allowSameAccount: true }
  ])
  t.ok(printed().includes("warning  /takeOver  connection 'Former'\\nopened the same account"))
})

t.test('take-over finds both connections and prints what was taken over', async t => {
  const { asked, bodies, printed, run } = await openCommand(t)
  await run('take-over', 'Taken', 'Former')

  t.ok(asked.includes(`POST /connections/${id}/take-over`))
  t.ok(bodies.includes(JSON.stringify({ connectionId: formerId })))
  t.strictSame(printed(), ['WHAT     TAKEN OVER\norders   3\ncursors  1'])
  await t.rejects(run('take-over', 'Taken', 'Formr'), {
    message: "no deleted connection is called 'Formr'; existing names: 'Former'"
  })
})

t.test('show and list tell the account, who takes its orders, and since when', async t => {
  const { printed, run } = await openCommand(t)
  await run('show', id)
  Object.assign(connection, {
    account: { name: 'seller', takesOrders: false },
    ordersSince: '2026-01-31T10:00:00.000Z'
  })
  await run('show', id)
  await run('list')
  const [unknown, known, list] = printed().map(String)

  t.match(unknown, /^account +not known yet$/m)
  t.notMatch(unknown, 'orders since')
  t.match(known, /^account +seller; another connection to its account takes the orders$/m)
  t.match(known, /^orders since +2026-01-31T10:00:00.000Z; older ones are not made in the shop$/m)
  t.match(list, /^ID +PLATFORM +NAME +ACCOUNT +STATUS .*\n\S+ +mkta +Taken +seller .*another connection to its account/)
})
