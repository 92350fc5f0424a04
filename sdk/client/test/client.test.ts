import {
  createClient,
  ProblemError,
  type AnyOperation,
  type Client,
  type FetchRequest,
  type HubPaths
} from '@linker/client'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'

interface Sent extends FetchRequest {
  url: string
}
interface Given {
  status?: number
  headers?: Record<string, string>
  text?: string
}
type AnyPaths = Record<string, Record<'get' | 'post' | 'put' | 'patch' | 'delete', AnyOperation>>

const json = { 'content-type': 'application/json; charset=utf-8' }

/** A client of a hub that gives these answers, and the requests that it was sent. */
function openClient<Paths extends object> (...answers: Given[]): { hub: Client<Paths>, sent: Sent[] } {
  const sent: Sent[] = []
  const hub = createClient<Paths>({
    url: 'https://hub.example/linker/',
    token: 'the-token\n',
    async fetch (url, request) {
      sent.push({ url, ...request })
      const { status = 200, headers, text = '' } = answers.shift() ?? {}
      return new Response(status === 204 ? null : text, { status, headers: { ...json, ...headers } })
    }
  })
  return { hub, sent }
}

const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => undefined, (error: unknown) => error)

t.test('the README says which Node the package needs', async t => {
  const [readme, manifest] = await Promise
    .all(['README.md', 'package.json'].map(file => readFile(new URL(`../${file}`, import.meta.url), 'utf8')))
  const { engines } = JSON.parse(manifest ?? '') as { engines: { node: string } }

  t.match(readme, `Node ${engines.node.replace('>=', '')} or newer`)
})

t.test('a call writes its parameters into the address, and its body and keys into the request', async t => {
  const { hub, sent } = openClient<AnyPaths>({ text: '{"a":1}' }, { status: 204 })

  t.strictSame(await hub.get('/things/{id}/parts', { path: { id: 'a/b c' }, query: { q: 'x&y', not: undefined } }), {
    a: 1
  })
  t.equal(
    await hub.patch('/things', { body: { name: 'n' }, idempotencyKey: 'k-1', ifMatch: '"3"', headers: { 'x-a': 'b' } }),
    undefined
  )
  t.strictSame(sent, [
    {
      url: 'https://hub.example/linker/things/a%2Fb%20c/parts?q=x%26y',
      method: 'GET',
      headers: { authorization: 'Bearer the-token' }
    },
    {
      url: 'https://hub.example/linker/things',
      method: 'PATCH',
      headers: {
        'authorization': 'Bearer the-token',
        'content-type': 'application/json',
        'idempotency-key': 'k-1',
        'if-match': '"3"',
        'x-a': 'b'
      },
      body: '{"name":"n"}'
    }
  ])
  await t.rejects(hub.get('/things/{id}', { path: {} }), { message: /'id' is missing/ })
  await t.rejects(hub.get('/things/{id}', { path: { id: '' } }), { message: /'id' is missing/ })
  t.equal(sent.length, 2)
})

t.test('a URL that cannot be one of a hub is refused before the first request', t => {
  const wrong = ['hub.example', '', 'localhost:3000', 'ftp://hub.example', '/linker', '//hub.example']
  for (const url of wrong) {
    const message = `'url' must be an http or https URL such as https://hub.example, not '${url}'`
    t.throws(() => createClient({ url }), { name: 'TypeError', message })
  }
  const without = "'url' must be a URL without a user name, a password, a query and a fragment"
  for (const rest of ['me:secret@hub.example', 'hub.example?a=b', 'hub.example/#a']) {
    t.throws(() => createClient({ url: `https://${rest}` }), { name: 'TypeError', message: without })
  }
  t.equal(createClient({ url: 'https://hub.example/linker//' }).url, 'https://hub.example/linker')
  t.end()
})

t.test('a request tells the status and the headers of the answer, and text stays text', async t => {
  const { hub } = openClient<AnyPaths>(
    { status: 201, text: '[]', headers: { etag: '"4"' } },
    { text: '12', headers: { 'content-type': 'text/plain; version=0.0.4' } }
  )
  const { status, headers, data } = await hub.request('post', '/things')

  t.strictSame([status, headers.get('etag'), data], [201, '"4"', []])
  t.equal(await hub.get('/metrics'), '12')
})

t.test('a list asks for a page when its reader comes to it, also behind a proxy that adds a path', async t => {
  const { hub, sent } = openClient<AnyPaths>(
    { text: '[1,2]', headers: { link: '</elsewhere/things?limit=200&status=a&cursor=c%3D>; rel="next"' } },
    { text: '[3]' },
    { text: '[1]', headers: { link: '</things?cursor=c>; rel="next"' } }
  )

  const entries: unknown[] = []
  for await (const entry of hub.list('/things', { query: { status: 'a' } })) entries.push(entry)
  t.strictSame(entries, [1, 2, 3])
  for await (const entry of hub.list('/things', { query: { limit: 1 } })) if (entry === 1) break
  t.strictSame(sent.map(({ url }) => url.replace('https://hub.example/linker', '')), [
    '/things?limit=200&status=a',
    '/things?limit=200&status=a&cursor=c%3D',
    '/things?limit=1'
  ])
})

t.test('a refusal is an error with the members of the problem', async t => {
  const errors = [{ pointer: '/name', code: 'type', message: 'must be string' }]
  const problem = { code: 'LNK_X', status: 503, title: 'X', detail: 'later', requestId: 'r-1', errors }
  const { hub } = openClient<AnyPaths>(
    { status: 503, text: JSON.stringify(problem), headers: { 'retry-after': '5' } },
    { status: 404, text: '{"code":"LNK_Y"}' }
  )
  const refusal = await failureOf(hub.get('/x'))

  t.type(refusal, ProblemError)
  t.match(refusal, {
    name: 'ProblemError',
    message: '503 LNK_X: later',
    status: 503,
    code: 'LNK_X',
    detail: 'later',
    requestId: 'r-1',
    errors,
    retryAfterMs: 5_000
  })
  t.match(await failureOf(hub.get('/x')), { message: '404 LNK_Y', errors: undefined, retryAfterMs: undefined })
})

t.test('an answer that is not one of a hub is another error', async t => {
  const { hub } = openClient<AnyPaths>(
    { status: 502, text: '<html>' },
    { status: 500, text: '{"code":1}' },
    { text: '<html>', headers: { 'content-type': 'text/html' } }
  )
  const code = 'LNK_CLIENT_UNEXPECTED_ANSWER'

  t.match(await failureOf(hub.get('/x')), { code, status: 502, message: /answered 502 without a problem$/ })
  t.match(await failureOf(hub.get('/x')), { code, status: 500 })
  t.match(await failureOf(hub.get('/x')), { code, status: 200, message: /is not a hub$/ })
})

t.test('no answer, and an answer that breaks off, have the reason; a caller that gives up gets its own', async t => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('[')
    setImmediate(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const at = (url: string) => createClient<AnyPaths>({ url })
  const code = 'LNK_CLIENT_UNREACHABLE'
  const signal = AbortSignal.abort(new Error('enough'))

  t.match(await failureOf(at('http://127.0.0.1:1').get('/x')), {
    code,
    message: /127\.0\.0\.1:1 does not answer \(.+\)/
  })
  t.match(await failureOf(at(address).get('/x')), { code })
  t.match(await failureOf(at(address).get('/x', { signal })), { message: 'enough' })
})

t.test('a call that its signal ends throws the reason: a time-out, or an abort', async t => {
  const asked = Promise.withResolvers<void>()
  const server = createServer(() => asked.resolve()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const hub = createClient<AnyPaths>({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const control = new AbortController()

  t.match(await failureOf(hub.post('/x', { signal: AbortSignal.timeout(1) })), { name: 'TimeoutError' })
  const ended = failureOf(hub.post('/x', { signal: control.signal }))
  await asked.promise
  control.abort()
  t.match(await ended, { name: 'AbortError' })
})

t.test('an opened answer still has its body', async t => {
  const { hub } = openClient<AnyPaths>({ text: 'bytes' }, { status: 403, text: '{"code":"LNK_FORBIDDEN"}' })

  t.equal(await (await hub.open('post', '/backup')).text(), 'bytes')
  t.match(await failureOf(hub.open('post', '/backup')), { code: 'LNK_FORBIDDEN' })
})

t.test('the types demand what the hub demands and know what it answers', async t => {
  const { hub } = openClient<HubPaths>()
  // The compiler checks this function; nothing calls it.
  const compiled = async (): Promise<void> => {
    await hub.post('/jobs/retry', { body: { filter: {} }, idempotencyKey: 'k' })
    await hub.post('/jobs/{id}/cancel', { path: { id: '' } })
    // @ts-expect-error: the hub demands a body.
    await hub.post('/jobs/retry')
    // @ts-expect-error: no such member.
    await hub.post('/jobs/retry', { body: { filter: {}, dryrun: true } })
    // @ts-expect-error: no such status.
    hub.list('/jobs', { query: { status: 'gone' } })
    // @ts-expect-error: the path has a parameter.
    await hub.get('/jobs/{id}')
    // @ts-expect-error: only operations that create or enqueue take a key.
    await hub.get('/jobs/{id}', { path: { id: '' }, idempotencyKey: 'k' })
    // @ts-expect-error: no such operation.
    await hub.put('/jobs', {})
    // @ts-expect-error: it has no pages.
    hub.list('/system')
    const changed = await hub.request('patch', '/connections/{id}', {
      path: { id: '' },
      body: { name: 'n' },
      ifMatch: '"1"'
    })
    const name: string = changed.data.name
    const answer = await hub.request('post', '/jobs/retry', { body: { filter: {} } })
    const plan = await hub.post('/jobs/retry', { body: { filter: {}, dryRun: true } })
    const eligible: number = 'matched' in plan ? plan.eligible : plan.total
    const count: number = answer.status === 200 ? answer.data.matched : answer.data.total
    const nothing: undefined = await hub.delete('/tokens/{id}', { path: { id: '' } })
    t.same([name, eligible, count, nothing], [])
  }

  t.type(compiled, 'function')
})
