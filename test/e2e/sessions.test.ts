import t from 'tap'
import { createApi, type ApiCall } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

interface Made {
  id: string
  token: string
}

type Method = Parameters<TestHub['call']>[0]

/** A browser that keeps the cookie of its session. */
function openBrowser (hub: TestHub, headers: Record<string, string> = {}) {
  const call = createApi(hub.url, '')
  let cookie = ''
  return {
    cookie: () => cookie,
    async ask (method: Method, path: string, { headers: more, ...given }: ApiCall = {}) {
      const answer = await call(method, path, { ...given, headers: { authorization: '', cookie, ...headers, ...more } })
      const [set] = [answer.headers['set-cookie'] ?? []].flat()
      cookie = set?.split(';')[0] ?? cookie
      return answer
    }
  }
}

t.test('sessions', async t => {
  const clock = { nowMs: Date.now() }
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env), now: () => new Date(clock.nowMs) })
  const fromHub = { 'sec-fetch-site': 'same-origin' }
  const make = async (name: string, scope: string) =>
    (await hub.call('POST', '/tokens', { body: { name, scope } })).json as Made

  t.test('a person signs in with a token, has its scope, and signs out', async t => {
    const { token } = await make('ada', 'operate')
    const browser = openBrowser(hub, fromHub)
    const signedIn = await browser.ask('POST', '/session', { body: { token } })

    t.match(signedIn, { status: 201, json: { name: 'ada', scope: 'operate', isSession: true } })
    t.match(
      signedIn.headers['set-cookie'],
      /^linker-\d+=lnk_[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/
    )
    t.notMatch(signedIn.text, /lnk_/)
    t.match(await browser.ask('GET', '/session'), { status: 200, json: { name: 'ada', isSession: true } })
    t.match(problemOf(await browser.ask('POST', '/tokens', { body: { name: 'x', scope: 'read' } })), {
      status: 403,
      code: 'LNK_FORBIDDEN'
    })
    t.match((await hub.call('GET', '/tokens?kind=session')).json, [{ name: 'ada', scope: 'operate' }])
    t.match(
      problemOf(await openBrowser(hub).ask('POST', '/session', { body: { token: browser.cookie().split('=')[1] } })),
      {
        status: 400,
        detail: /is a session/
      }
    )

    const before = browser.cookie()
    t.match(await browser.ask('DELETE', '/session'), { status: 204 })
    t.equal((await browser.ask('GET', '/session')).status, 401)
    t.equal((await openBrowser(hub, { cookie: before }).ask('GET', '/session')).status, 401, 'also for a kept cookie')
    t.strictSame((await hub.call('GET', '/tokens?kind=session')).json, [])
    t.match(problemOf(await hub.call('DELETE', '/session')), { status: 400, detail: /no session/ })
    t.match(await hub.call('GET', '/session'), { json: { name: '(own token)', expiresAt: null, isSession: false } })
  })

  t.test('a session ends with its token, after twelve hours, and when an admin ends it', async t => {
    const { id, token } = await make('grace', 'read')
    const signIn = async (given: string) => {
      const browser = openBrowser(hub)
      t.equal((await browser.ask('POST', '/session', { body: { token: given } })).status, 201)
      return async () => (await browser.ask('GET', '/connections')).status
    }
    const [ofGrace, ended, ofOwner] = [await signIn(token), await signIn(token), await signIn(hub.keys.admin)]
    const [, second] = (await hub.call('GET', '/tokens?kind=session')).json as Made[]
    t.strictSame([await ofGrace(), await ended(), await ofOwner()], [200, 200, 200])

    t.equal((await hub.call('DELETE', `/tokens/${second?.id}`)).status, 204)
    t.strictSame([await ofGrace(), await ended(), await ofOwner()], [200, 401, 200])
    await hub.call('DELETE', `/tokens/${id}`)
    t.strictSame([await ofGrace(), await ofOwner()], [401, 200])
    clock.nowMs += 12 * 3_600_000
    t.equal(await ofOwner(), 401)
    const audit = (await hub.call('GET', '/audit?action=session.end')).json as { objectName: string }[]
    t.strictSame(audit.map(({ objectName }) => objectName), ['grace', 'ada'])
  })

  t.test('a foreign page reads and changes nothing with the session of a person', async t => {
    const browser = openBrowser(hub)
    await browser.ask('POST', '/session', { body: { token: hub.keys.admin } })
    const origin = new URL(hub.url).origin
    const change = (headers: Record<string, string>) => browser.ask('POST', '/stock/reconcile', { body: {}, headers })

    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: origin.replace(/:\d+$/, ':1') }
    ]
    for (const headers of foreign) {
      t.match(problemOf(await change(headers)), { status: 403, code: 'LNK_CROSS_ORIGIN' }, JSON.stringify(headers))
    }
    t.equal((await change(fromHub)).status, 202)
    t.equal((await change({ origin })).status, 202)
    const read = await browser.ask('GET', '/connections', { headers: { origin: 'https://evil.example' } })
    t.equal(read.headers['access-control-allow-origin'], undefined)
    t.match(
      problemOf(await openBrowser(hub).ask('POST', '/session', {
        body: { token: hub.keys.admin },
        headers: { origin: 'https://evil.example' }
      })),
      { status: 403, code: 'LNK_CROSS_ORIGIN' }
    )
  })

  t.test('wrong tokens are slowed at the sign-in, too', async t => {
    const signIn = (token: string) => openBrowser(hub).ask('POST', '/session', { body: { token } })
    for (let count = 0; count < 10; count++) t.equal((await signIn(`guess-${count}`)).status, 401)

    t.match(problemOf(await signIn('guess')), { status: 429, code: 'LNK_TOKEN_FAILURES' })
    t.equal((await signIn(hub.keys.admin)).status, 201, 'a right token goes on working')
  })
})

t.test('behind a proxy with https', async t => {
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    variables: {
      LINKER_PUBLIC_URL: 'https://hub.example',
      LINKER_TRUSTED_PROXIES: '127.0.0.1',
      NODE_ENV: 'production',
      LINKER_CREDENTIALS_ENCRYPTION: 'off'
    }
  })

  t.test('the cookie is for this host and https only', async t => {
    const browser = openBrowser(hub, { origin: 'https://hub.example' })
    const signedIn = await browser.ask('POST', '/session', { body: { token: hub.keys.admin } })

    t.match(signedIn.headers['set-cookie'], /^__Host-linker=lnk_\S+; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/)
    t.equal((await browser.ask('POST', '/stock/reconcile', { body: {} })).status, 202)
  })

  t.test('wrong tokens are counted for each client of the proxy', async t => {
    const guess = async (client: string) =>
      (await openBrowser(hub).ask('POST', '/session', {
        body: { token: 'guess' },
        headers: { 'x-forwarded-for': `203.0.113.9, ${client}` }
      })).status
    for (let count = 0; count < 10; count++) t.equal(await guess('192.0.2.1'), 401)

    t.equal(await guess('192.0.2.1'), 429)
    t.equal(await guess('192.0.2.2'), 401)
  })
})
