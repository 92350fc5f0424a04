import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import {
  createHubClient,
  hubAddress,
  parseJsonOption,
  type HubClient,
  type HubOptions
} from '../../src/cli/hub-client.ts'
import { readConfig } from '../../src/config.ts'

const token = 'a-token-of-more-than-thirty-two-characters'

t.test('the hub is asked where it listens, or where the operator says', async t => {
  const of = (host: string) => hubAddress({ host, port: 3000 }, undefined)

  t.equal(of('127.0.0.1'), 'http://127.0.0.1:3000')
  t.equal(of('::1'), 'http://[::1]:3000')
  t.equal(of('0.0.0.0'), 'http://127.0.0.1:3000', 'nobody can connect to all addresses')
  t.equal(of('::'), 'http://[::1]:3000')
  t.equal(hubAddress({ host: 'x', port: 1 }, 'https://hub.example/linker//'), 'https://hub.example/linker')
  const withVariable = { host: 'x', port: 1, clientUrl: 'https://hub.example/' }
  t.equal(hubAddress(withVariable, undefined), 'https://hub.example')
  t.equal(hubAddress(withVariable, 'http://other.example'), 'http://other.example', 'the option wins')
  t.throws(() => hubAddress({ ...withVariable, clientUrl: 'https://' }, undefined), { message: /^LINKER_URL / })
  t.throws(() => of('127.0.0.1:80'), {
    message: /^the address of HOST and PORT 'http:\/\/\[127\.0\.0\.1:80\]:3000' is not an address such as /
  })
  for (const given of ['hub.example', 'ftp://hub.example', '']) {
    t.throws(() => hubAddress({ host: 'x', port: 1 }, given), { name: 'Error' })
  }
})

t.test('an address with more than a host and a path is refused without its secrets', async t => {
  for (const rest of ['ann:canary-1@hub.example', 'ann@hub.example', 'hub.example?key=canary-1', 'hub.example/#x']) {
    const refusing = (name: string) => ({ message: new RegExp(`^${name} must be an address without (?!.*canary)`) })
    const given = `https://${rest}`
    t.throws(() => hubAddress({ host: 'x', port: 1 }, given), refusing('--url'), rest)
    t.throws(() => hubAddress({ host: 'x', port: 1, clientUrl: given }, undefined), refusing('LINKER_URL'), rest)
  }
})

t.test('a malformed LINKER_URL stops only a command that uses it', async t => {
  const directory = t.testdir({})
  const environment = { LINKER_URL: 'hub.example', LINKER_TOKEN: token }

  t.doesNotThrow(() => readConfig(environment, directory))
  await t.resolves(createHubClient(environment, directory, { url: 'https://hub.example' }))
  await t.rejects(createHubClient(environment, directory, {}), {
    message: "LINKER_URL 'hub.example' is not an address such as http://127.0.0.1:3000"
  })
})

t.test('an option that is no JSON is refused without its text, which may be a secret', async t => {
  t.strictSame(parseJsonOption('--config', '{"a":1}'), { a: 1 })
  t.throws(() => parseJsonOption('--credentials', 'canary-1'), { message: '--credentials is not JSON' })
})

function reasonOf (asking: Promise<unknown>): Promise<unknown> {
  return asking.then(() => undefined, (error: unknown) => error)
}

/** A client of a server that answers like `answer`. */
async function openHub (
  t: Test,
  answer: (request: IncomingMessage, response: ServerResponse) => void
): Promise<HubClient> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createHubClient({}, t.testdir({}), { url, token: `${token}\n` })
}

t.test('a listing is read to its end, also behind a proxy that adds a path', async t => {
  const asked: string[] = []
  const hub = await openHub(t, ({ url = '' }, response) => {
    asked.push(url)
    const isLast = url.includes('cursor=')
    response.writeHead(200, isLast ? {} : { link: '</elsewhere/connections?limit=200&cursor=c>; rel="next"' })
      .end(isLast ? '[3]' : '[1,2]')
  })

  t.strictSame(await hub.list('/connections', { status: 'active', platformType: undefined }), [1, 2, 3])
  t.strictSame(asked, ['/connections?limit=200&status=active', '/connections?limit=200&cursor=c'])
})

t.test('a refusal is told with its code and places, and nothing in it controls the terminal', async t => {
  const errors = [{ pointer: '/name', code: 'type', message: 'is \u001b[2Jwrong' }, {
    pointer: '',
    code: 'x',
    message: 'is odd'
  }]
  const refusing = await openHub(t, (_request, response) => {
    response.writeHead(400).end(JSON.stringify({ code: 'LNK_X', detail: '/name is \u001b[2Jwrong; is odd', errors }))
  })

  await t.rejects(refusing.call('GET', '/x'), {
    message: '400 LNK_X: is odd\n  /name: is \\u001b[2Jwrong',
    problem: { code: 'LNK_X' }
  })
})

t.test('a part of the request that the command made is named without its place', async t => {
  const errors = [
    { pointer: '/querystring/status', code: 'enum', message: 'must be one of dead' },
    { pointer: '/params/id', code: 'format', message: 'must be an id' },
    { pointer: '/params', code: 'type', message: 'must be a text' }
  ]
  const answering = (code: string) =>
    openHub(t, (_request, response) => {
      response.writeHead(400).end(JSON.stringify({ code, detail: 'three faults', errors }))
    })

  await t.rejects((await answering('LNK_REQUEST_INVALID')).call('GET', '/jobs'), {
    message: '400 LNK_REQUEST_INVALID: three faults\n' +
      '  status: must be one of dead\n  id: must be an id\n  /params: must be a text'
  })
  await t.rejects((await answering('LNK_X')).call('GET', '/jobs'), { message: /\n {2}\/params\/id: must be an id\n/ })
})

t.test('a refused token, a failure without a problem and a foreign server are told apart', async t => {
  const answering = (status: number, text: string) =>
    openHub(t, (request, response) => {
      response.writeHead(request.headers.authorization === `Bearer ${token}` ? status : 500).end(text)
    })
  const call = async (status: number, text: string) => (await answering(status, text)).call('POST', '/x', {})

  await t.rejects(call(401, ''), { message: /^401 LNK_UNAUTHORIZED.*--token/ })
  await t.rejects(call(502, '<html>'), { message: 'the hub answered 502' })
  await t.rejects(call(200, '<html>'), { message: /is not a hub/ })
  t.equal(await call(204, ''), undefined)
})

t.test('nobody at the address, and no token, are reasons for which the hub was not asked', async t => {
  const nowhere = await createHubClient({}, t.testdir({}), { url: 'http://127.0.0.1:1', token })

  t.match(await reasonOf(nowhere.call('GET', '/x')), { notAsked: 'unreachable' })
  t.match(await reasonOf(createHubClient({}, t.testdir({}), {})), { notAsked: 'no token' })
})

t.test('the token of this folder is sent to the hub of this folder and to this machine only', async t => {
  const directory = t.testdir({ '.linker': { 'admin-token': token } })
  const reach = (variables: Record<string, string>, options: HubOptions = {}) =>
    createHubClient(variables, directory, options)
  const elsewhere = { LINKER_URL: 'https://hub.example' }
  const message = /^no token for https:\/\/hub\.example: set LINKER_TOKEN or pass --token; /

  for (const url of ['http://127.0.0.1:4000', 'http://127.8.0.1', 'http://localhost:3000', 'http://[::1]:3000']) {
    await t.resolves(reach({ LINKER_URL: url }), url)
  }
  await t.resolves(reach({ HOST: '10.0.0.5' }))
  await t.resolves(reach({ HOST: '10.0.0.5', LINKER_URL: 'http://10.0.0.5:3000/' }))
  await t.resolves(reach({ HOST: '10.0.0.5', PORT: '80', LINKER_URL: 'http://10.0.0.5' }))
  for (const variables of [elsewhere, { ...elsewhere, ADMIN_TOKEN: token }]) {
    await t.rejects(reach(variables), { message })
  }
  await t.rejects(reach({}, { url: 'https://hub.example' }), { message })
  await t.rejects(reach({ LINKER_URL: 'http://127.0.0.1.example' }), { message: /^no token for / })
  await t.resolves(reach(elsewhere, { token }))
  await t.resolves(reach({ ...elsewhere, LINKER_TOKEN: token }))
})

t.test('a worker has no routes: the message says which process to ask', async t => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ status: 404, code: 'LNK_NOT_FOUND', detail: 'No route GET /system' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const directory = t.testdir({})
  const settings = { PORT: String(port), LINKER_TOKEN: token, DATABASE_URL: 'postgres://127.0.0.1:1/linker' }
  const ask = async (environment: NodeJS.ProcessEnv, options: HubOptions = {}) =>
    (await createHubClient(environment, directory, options)).call('GET', '/system')
  const worker = { ...settings, LINKER_ROLE: 'worker' }

  await t.rejects(ask(worker), { message: /has the role worker.*LINKER_URL/ })
  await t.rejects(ask(worker, { url: `http://127.0.0.1:${port}` }), { message: /^404 LNK_NOT_FOUND/ })
  await t.rejects(ask({ ...settings, LINKER_ROLE: 'http' }), { message: /^404 LNK_NOT_FOUND/ })
})

t.test('an answer that breaks off is told as a hub that does not answer', async t => {
  const hub = await openHub(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"id":')
    setImmediate(() => response.destroy())
  })

  t.match(await reasonOf(hub.call('GET', '/connections')), {
    notAsked: 'unreachable',
    message: /does not answer \(aborted\); is it running\?$/
  })
})
