import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { authorized, buildHttpApp, token } from './support.ts'

function routes (app: FastifyInstance): void {
  app.get('/admin', { config: { scope: 'admin' } }, async () => 'in')
  app.get('/open', { config: { scope: 'public' } }, async () => 'in')
  app.post('/hook', { config: { scope: 'webhook' } }, async () => 'in')
}

t.test('a route of the scope admin needs the token, whatever the case of the scheme', async t => {
  const { app } = await buildHttpApp(t, { routes })
  const status = async (authorization?: string) =>
    (await app.inject({ url: '/admin', headers: authorization === undefined ? {} : { authorization } })).statusCode

  for (const good of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token} `]) t.equal(await status(good), 200, good)
  for (
    const bad of [
      undefined,
      '',
      token,
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Bearer ${token} ${token}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer\t${token}`
    ]
  ) {
    t.equal(await status(bad), 401, String(bad))
  }
})

t.test('a refusal says how to authenticate and does not repeat what was sent', async t => {
  const { app } = await buildHttpApp(t, { routes })
  const response = await app.inject({ url: '/admin', headers: { authorization: 'Bearer guessed-token' } })

  t.equal(response.headers['www-authenticate'], 'Bearer')
  t.equal(response.headers['content-type'], 'application/problem+json')
  t.match(response.json(), { status: 401, code: 'LNK_UNAUTHORIZED' })
  t.notMatch(response.payload, 'guessed-token')
})

t.test('a token in the address does not count', async t => {
  const { app } = await buildHttpApp(t, { routes })
  for (const url of [`/admin?token=${token}`, `/admin?access_token=${token}`]) {
    t.equal((await app.inject(url)).statusCode, 401)
  }
})

t.test('the HEAD route that comes with a GET needs the token too', async t => {
  const { app } = await buildHttpApp(t, { routes })
  t.equal((await app.inject({ method: 'HEAD', url: '/admin' })).statusCode, 401)
  t.equal((await app.inject({ method: 'HEAD', url: '/admin', headers: authorized })).statusCode, 200)
})

t.test('open routes, webhooks and unknown addresses need no token', async t => {
  const { app } = await buildHttpApp(t, { routes })
  t.equal((await app.inject('/open')).statusCode, 200)
  t.equal((await app.inject({ method: 'POST', url: '/hook' })).statusCode, 200)
  t.equal((await app.inject('/nowhere')).statusCode, 404)
})

t.test('a server with a route that declares no scope does not start, and says which', async t => {
  const { app } = await buildHttpApp(t, {
    routes (scope) {
      routes(scope)
      scope.delete('/forgotten/:id', async () => 'in')
      scope.get('/misspelt', { config: { scope: 'amdin' as 'admin' } }, async () => 'in')
    }
  })
  await t.rejects(async () => {
    await app.ready()
  }, /these routes declare no scope: DELETE \/forgotten\/:id, GET \/misspelt/)
})
