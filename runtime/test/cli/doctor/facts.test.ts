import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t from 'tap'
import { createRegistry } from '../../../src/adapters/registry.ts'
import { askHub, checkStoredCredentials, readConnections, type OwnSettings } from '../../../src/cli/doctor/facts.ts'
import type { OpenedDatabase } from '../../../src/cli/doctor/servers.ts'
import type { HubClient } from '../../../src/cli/hub-client.ts'
import { readConfig } from '../../../src/config.ts'
import type { Query } from '../../../src/database/database.ts'

const nothingOpened: OpenedDatabase = { findings: [], close: async () => undefined }

/** A database that fails at every statement. */
const broken: OpenedDatabase = {
  ...nothingOpened,
  query: () => Promise.reject(new Error('terminated by the administrator'))
}

const noAdapters = { registry: createRegistry([], new Map()), defaults: {} }

const hub: HubClient = {
  url: 'http://127.0.0.1:3000',
  call: async () => undefined,
  list: async path =>
    path === '/connections'
      ? [{ id: 'a', name: 'Shop' }, { id: 'b', name: 'Market' }]
      : [{ connectionId: 'b', name: 'poll' }, { connectionId: 'b', name: 'sweep' }]
}

t.test('a running hub is asked before the database, which belongs to it', async t => {
  t.match(await readConnections(hub, broken, noAdapters), [
    { name: 'Shop', schedules: { length: 0 } },
    { name: 'Market', schedules: [{ name: 'poll' }, { name: 'sweep' }] }
  ])
})

t.test('without a hub and a database there are no connections to check', async t => {
  t.equal(await readConnections(undefined, nothingOpened, noAdapters), undefined)
  t.equal(
    await readConnections(undefined, { ...nothingOpened, query: async () => [] }, noAdapters),
    undefined,
    'nor are there in a database without tables'
  )
})

t.test('without a hub, the database tells which connections have a webhook secret', async t => {
  const rowsOf = (text: string): object[] => {
    if (text.includes('to_regclass')) return [{ areThere: true }]
    if (text.includes('from webhook_secrets')) return [{ connectionId: 'a' }]
    return text.includes('from connections') ? [{ id: 'a' }, { id: 'b' }] : []
  }
  const query: Query = async text => rowsOf(text) as never

  t.match(await readConnections(undefined, { ...nothingOpened, query }, noAdapters), [
    { id: 'a', hasStoredSecret: true },
    { id: 'b', hasStoredSecret: false }
  ])
})

t.test('stored keys that the environment lacks are each a fault', async t => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const config = readConfig({ LINKER_CREDENTIALS_KEY: `k2:${key}` }, '/project')
  const system: OwnSettings = {
    mode: 'embedded',
    configurationFile: '/project/linker.config.json',
    dataDirectory: '/project/.linker',
    credentialKeys: ['k1', 'k2'],
    publicUrl: null,
    version: '1.0.0',
    processes: []
  }

  t.match(await checkStoredCredentials(config, nothingOpened, system), [{
    mark: 'failed',
    check: 'credentials',
    message: /'k1'.*attention says whether/
  }])
  t.strictSame(await checkStoredCredentials(config, nothingOpened, undefined), [])
  t.match(await checkStoredCredentials(config, broken, undefined), [{ mark: 'failed', check: 'credentials' }])
})

t.test('the hub of this project is asked, whatever LINKER_URL says', async t => {
  const before = process.env
  t.teardown(() => {
    process.env = before
  })
  process.env = { PORT: '1', LINKER_URL: 'https://hub.example', LINKER_TOKEN: 'a-token' }
  const directory = t.testdir({})
  const config = readConfig(process.env, directory)

  t.match(await askHub(config, {}, directory), {
    findings: [
      { mark: 'warning', message: /^LINKER_URL is ignored/ },
      { message: 'no hub answers at http://127.0.0.1:1' }
    ]
  })
  t.match(await askHub(config, { url: 'http://127.0.0.1:2' }, directory), {
    findings: [{ message: 'no hub answers at http://127.0.0.1:2' }]
  })
})

t.test('a fault in the address of the hub names where the address comes from', async t => {
  const directory = t.testdir({})
  const config = readConfig({ HOST: 'no host' }, directory)
  const reports = (message: RegExp) => ({ findings: [{ mark: 'failed', check: 'hub', message }] })

  t.match(await askHub(config, {}, directory), reports(/^the address of HOST and PORT 'http:\/\/no host:3000' is not/))
  t.match(await askHub(config, { url: 'nonsense' }, directory), reports(/^--url 'nonsense' is not an address/))
})

t.test('a server in place of the hub is named, without a token, too', async t => {
  const before = process.env
  t.teardown(() => {
    process.env = before
  })
  const answers: [string, (socket: Socket) => void][] = [
    ['another page', socket => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno')],
    ['another protocol', socket => socket.end('220 mail.example ESMTP\r\n')],
    ['a closed connection', socket => socket.destroy()]
  ]
  for (const [name, answer] of answers) {
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.once('data', () => answer(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const { port } = server.address() as AddressInfo
    process.env = { PORT: String(port) }
    const directory = t.testdir({})
    const config = readConfig(process.env, directory)

    t.match(await askHub(config, {}, directory), {
      findings: [{
        mark: 'failed',
        message: `the server at http://127.0.0.1:${port} is not a hub: `,
        remedy: /another PORT/
      }]
    }, name)
    t.match(await askHub(config, { url: `http://127.0.0.1:${port}` }, directory), {
      findings: [{ mark: 'failed', remedy: 'correct --url' }]
    }, name)
  }
})

t.test('a worker answers no questions about connections, and is no fault', async t => {
  const before = process.env
  t.teardown(() => {
    process.env = before
  })
  const paths: (string | undefined)[] = []
  const worker = createHttpServer(({ url }, response) => {
    paths.push(url)
    response.writeHead(url === '/readyz' ? 200 : 404, { 'content-type': 'application/json' }).end('{"status":"ok"}')
  }).listen(0, '127.0.0.1')
  await once(worker, 'listening')
  t.teardown(() => worker.close())
  const { port } = worker.address() as AddressInfo
  process.env = {
    PORT: String(port),
    LINKER_ROLE: 'worker',
    LINKER_TOKEN: 'a-token',
    DATABASE_URL: 'postgres://127.0.0.1:1/linker'
  }
  const directory = t.testdir({})

  const { client, findings } = await askHub(readConfig(process.env, directory), {}, directory)

  t.equal(client, undefined)
  t.match(findings, [{ mark: 'ok', message: `a process of the hub answers at http://127.0.0.1:${port}` }])
  t.equal(findings.length, 1)
  t.strictSame(paths, ['/readyz'])
})
