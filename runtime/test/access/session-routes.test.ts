import t, { type Test } from 'tap'
import sessionRoutes, { type SessionOptions } from '../../src/access/session-routes.ts'
import type { Tokens } from '../../src/access/tokens.ts'
import { owner } from '../../src/http/authentication.ts'
import { authorized, buildHttpApp, token } from '../http/support.ts'

const person = '192.0.2.7'
const goodCode = 'the-code'
const begun = { session: 'lnk_session', expiresAt: new Date(0) }

async function buildSessions (t: Test, options: Partial<SessionOptions> = {}) {
  const session = { ...owner, sessionId: 'id of the session' }
  return buildHttpApp(t, {
    level: 'trace',
    tokens: { 'session-token': session },
    async routes (scope) {
      const tokens: Pick<Tokens, 'beginSession' | 'beginSessionByCode' | 'createCode'> = {
        beginSession: async () => begun,
        async beginSessionByCode (code, ownHashes, accept) {
          if (code !== goodCode || ownHashes.length !== 1) return undefined
          accept(owner)
          return begun
        },
        createCode: async given => ({ code: `${given}-code`, expiresAt: new Date(0) })
      }
      scope.decorate('tokens', tokens as Tokens)
      await scope.register(sessionRoutes, { isProduction: false, publicUrl: undefined, ...options })
    }
  })
}

type HttpApp = Awaited<ReturnType<typeof buildSessions>>['app']

/** Status and code of a sign-in. */
async function signIn (app: HttpApp, payload: object, headers: Record<string, string> = {}, remoteAddress = person) {
  const answer = await app.inject({ method: 'POST', url: '/session', payload, headers, remoteAddress })
  return [answer.statusCode, (answer.json() as { code?: string }).code]
}

for (const [name, payload] of Object.entries({ token: { token }, code: { code: goodCode } })) {
  t.test(`in production, nobody signs in with a ${name} over plain http from another machine`, async t => {
    const refusal = [403, 'LNK_SESSION_INSECURE']
    const { app: production } = await buildSessions(t, { isProduction: true })
    t.strictSame(await signIn(production, payload), refusal)
    for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      t.strictSame(await signIn(production, payload, {}, own), [201, undefined], own)
    }
    const at = async (publicUrl: string) => (await buildSessions(t, { isProduction: true, publicUrl })).app
    t.strictSame(await signIn(await at('https://hub.example'), payload), [201, undefined])
    t.strictSame(await signIn(await at('http://hub.example'), payload), refusal)
    t.strictSame(await signIn((await buildSessions(t)).app, payload), [201, undefined])
  })
}

t.test('a sign-in has a token or a code, each in its own member', async t => {
  const { app } = await buildSessions(t)

  for (const body of [{}, { token, code: goodCode }, { code: '' }, { code: null }]) {
    t.strictSame(await signIn(app, body), [400, 'LNK_REQUEST_INVALID'], JSON.stringify(body))
  }
  t.strictSame(await signIn(app, { token: goodCode }), [401, 'LNK_UNAUTHORIZED'])
  t.strictSame(await signIn(app, { code: token }), [401, 'LNK_SIGN_IN_CODE_ENDED'])
})

t.test('a foreign page signs nobody in with a code', async t => {
  const { app } = await buildSessions(t)
  const foreign = { origin: 'https://evil.example' }

  t.strictSame(await signIn(app, { code: goodCode }, foreign), [403, 'LNK_CROSS_ORIGIN'])
  t.strictSame(await signIn(app, { code: goodCode }), [201, undefined], 'the code was not used')
})

t.test('wrong codes count like wrong tokens, and a right code goes on working', async t => {
  const { app } = await buildSessions(t)
  for (let count = 0; count < 5; count++) {
    t.strictSame(await signIn(app, { code: `guess-${count}` }), [401, 'LNK_SIGN_IN_CODE_ENDED'])
    t.strictSame(await signIn(app, { token: `guess-${count}` }), [401, 'LNK_UNAUTHORIZED'])
  }

  t.strictSame(await signIn(app, { code: 'guess' }), [429, 'LNK_TOKEN_FAILURES'])
  t.strictSame(await signIn(app, { code: goodCode }), [201, undefined])
  t.strictSame(await signIn(app, { code: 'guess' }, {}, '192.0.2.8'), [401, 'LNK_SIGN_IN_CODE_ENDED'])
})

t.test('a token makes codes, and a session makes none', async t => {
  const { app } = await buildSessions(t)
  const make = (headers: Record<string, string>) => app.inject({ method: 'POST', url: '/session/codes', headers })
  const made = await make(authorized)

  t.equal(made.statusCode, 201)
  t.strictSame(made.json(), {
    code: `${token}-code`,
    expiresAt: new Date(0).toISOString(),
    path: `/console/#code=${token}-code`
  })
  t.match((await make({ authorization: 'Bearer session-token' })).json(), { status: 400, code: 'LNK_REQUEST_INVALID' })
  const byCookie = { cookie: 'linker-0=session-token' }
  t.match((await make({ ...byCookie, 'sec-fetch-site': 'same-origin' })).json(), { status: 400 })
  t.match((await make({ ...byCookie, 'sec-fetch-site': 'same-site' })).json(), { code: 'LNK_CROSS_ORIGIN' })
  t.match((await make({})).json(), { status: 401, code: 'LNK_UNAUTHORIZED' })
})

t.test('no line of the log has a code, whatever became of it', async t => {
  const { app, log } = await buildSessions(t)
  await app.inject({ method: 'POST', url: '/session/codes', headers: authorized })
  await signIn(app, { code: goodCode })
  await signIn(app, { code: 'a-wrong-code' })
  await signIn(app, { code: ['a-code-in-a-list'] })
  await signIn(app, { token, code: 'a-code-too-many' })

  t.ok(log.length >= 5, 'the requests are in the log')
  t.notMatch(JSON.stringify(log), /the-code|-code\b|a-code-/)
})
