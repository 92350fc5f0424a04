import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { authorized, buildHttpApp, sendRaw } from './support.ts'

const strict = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': /^default-src 'none'; frame-ancestors 'none'$/
}

/** Makes an error in the form of Fastify's plugins. */
function libraryError (statusCode: number): Error {
  return Object.assign(new Error('of a library'), { statusCode, code: 'FST_PLUGIN_REFUSES' })
}

function routes (app: FastifyInstance): void {
  app.get('/things', { config: { scope: 'admin' } }, async () => ({ ok: true }))
  app.get(
    '/kept',
    { config: { scope: 'public' } },
    async (_request, reply) => reply.header('cache-control', 'max-age=60').send({ ok: true })
  )
}

t.test('no answer may be sniffed, kept or framed', async t => {
  const { app } = await buildHttpApp(t, { routes })
  const addresses = { 200: '/things', 404: '/nowhere', 400: '/%zz' }

  for (const [status, url] of Object.entries(addresses)) {
    const response = await app.inject({ url, headers: authorized })
    t.match(
      { status: response.statusCode, headers: response.headers },
      { status: Number(status), headers: strict },
      url
    )
  }
  t.match((await app.inject('/things')).headers, strict, 'a stranger')
  t.match(
    (await sendRaw(app, ['nonsense\r\n\r\n'])).toLowerCase(),
    /cache-control: no-store\r\n.*frame-ancestors 'none'/s,
    'no HTTP'
  )
  t.match((await app.inject('/kept')).headers, { 'cache-control': 'max-age=60', 'x-content-type-options': 'nosniff' })
})

t.test('a request that names two hosts is refused', async t => {
  const { app } = await buildHttpApp(t, { routes })
  const ask = (hosts: string): Promise<string> =>
    sendRaw(app, [`GET /kept HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`])

  t.match(await ask('Host: hub\r\n'), /^HTTP\/1\.1 200 /)
  t.match(await ask('Host: hub\r\nhost: elsewhere\r\n'), /^HTTP\/1\.1 400 .*more than one Host header/s)
})

t.test('a refusal by a library keeps its status, and strangers write a bounded log', async t => {
  const { app, log } = await buildHttpApp(t, {
    routes (app) {
      app.get('/refused', { config: { scope: 'public' } }, async () => {
        throw libraryError(403)
      })
      app.get('/broken', { config: { scope: 'public' } }, async () => {
        throw libraryError(503)
      })
    }
  })
  const statuses = new Set<number>()
  for (let turn = 0; turn < 100; turn += 1) {
    for (const url of ['/refused', '/broken']) statuses.add((await app.inject(url)).statusCode)
  }

  t.strictSame([...statuses], [403, 500])
  t.equal(log.filter(({ msg }) => msg === 'a request failed').length, 10)
  t.equal(log.filter(({ msg }) => msg === 'request').length, 40)
})
