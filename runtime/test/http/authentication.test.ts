import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { tokenScopes, type Caller, type TokenScope } from '../../src/http/authentication.ts'
import { authorized, buildHttpApp, token } from './support.ts'

const callerOf = (scope: TokenScope, name = 'a name'): Caller => ({
  tokenId: `id of ${name}`,
  name,
  scope,
  sessionId: null,
  expiresAt: null
})

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

t.test('a named token reaches what its scope includes, and is told which scope is missing', async t => {
  const callers: readonly Caller[] = tokenScopes.map(scope => callerOf(scope, `for ${scope}`))
  const { app } = await buildHttpApp(t, {
    tokens: Object.fromEntries(callers.map(caller => [`token-${caller.scope}`, caller])),
    routes (scope) {
      for (const needed of tokenScopes) {
        scope.get(`/${needed}`, { config: { scope: needed } }, async request => request.caller)
      }
    }
  })
  const ask = (needed: string, given: string) =>
    app.inject({ url: `/${needed}`, headers: { authorization: `Bearer ${given}` } })

  for (const [level, needed] of tokenScopes.entries()) {
    for (const [given, caller] of callers.entries()) {
      const answer = await ask(needed, `token-${caller.scope}`)
      if (given >= level) t.strictSame(answer.json(), caller, `${caller.scope} may do ${needed}`)
      else {
        t.match(answer.json(), {
          status: 403,
          code: 'LNK_FORBIDDEN',
          detail: `Token '${caller.name}' has the scope '${caller.scope}'; this request needs '${needed}'`
        })
      }
    }
    t.strictSame((await ask(needed, token)).json(), {
      tokenId: null,
      name: '(own token)',
      scope: 'admin',
      sessionId: null,
      expiresAt: null
    })
  }
})

t.test('after ten wrong tokens, further wrong ones of the source wait, and right ones do not', async t => {
  let nowMs = 0
  const { app } = await buildHttpApp(t, { routes, nowMs: () => nowMs, tokens: { right: callerOf('admin') } })
  const ask = (given: string, remoteAddress = '192.0.2.1') =>
    app.inject({ url: '/admin', remoteAddress, headers: { authorization: `Bearer ${given}` } })
  const status = async (given: string, remoteAddress?: string) => (await ask(given, remoteAddress)).statusCode

  for (let count = 0; count < 10; count++) t.equal(await status(`guess-${count}`), 401)
  const slowed = await ask('guess-10')
  t.match(slowed.json(), { status: 429, code: 'LNK_TOKEN_FAILURES', detail: /Try again in 60 s/ })
  t.equal(slowed.headers['retry-after'], '60')
  t.equal(await status('right'), 200)
  t.equal(await status(token), 200)
  t.equal(await status('guess', '192.0.2.2'), 401, 'from elsewhere')
  nowMs = 59_999
  t.equal(await status('guess'), 429)
  nowMs = 60_000
  t.equal(await status('guess'), 401)
})

t.test('a missing token, one that has ended and one with too small a scope do not slow their source', async t => {
  const { app } = await buildHttpApp(t, { routes, tokens: { small: callerOf('read'), over: 'ended' } })
  for (let count = 0; count < 30; count++) {
    await app.inject('/admin')
    await app.inject({ url: '/admin', headers: { authorization: 'Bearer small' } })
    t.match((await app.inject({ url: '/admin', headers: { authorization: 'Bearer over' } })).json(), {
      status: 401,
      detail: /was revoked or is past its end/
    })
  }

  t.equal((await app.inject({ url: '/admin', headers: authorized })).statusCode, 200)
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
