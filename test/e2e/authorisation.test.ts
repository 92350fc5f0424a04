import { Redis } from 'ioredis'
import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { callbackPath, openMarketplaceA } from '../support/marketplace-a.ts'
import { availableModes, cheapestMode } from '../support/modes.ts'

interface Problem {
  detail: string
  code: string
  errors?: { pointer: string }[]
}
interface Connection {
  id: string
  name: string
  status: string
  statusReason: string | null
  credentialsRef: string
  adapterKey: string
  config: object
}

/** Every key of a Redis database with its value. */
async function dumpRedis (url: string | undefined): Promise<{ key: string, dump: Buffer }[]> {
  if (url === undefined) return []
  const redis = new Redis(url)
  try {
    return await Promise
      .all((await redis.keys('*')).map(async key => ({ key, dump: await redis.dumpBuffer(key) ?? Buffer.alloc(0) })))
  } finally {
    redis.disconnect()
  }
}

const modes = new Set([cheapestMode(process.env), ...availableModes(process.env).filter(mode => mode === 'full')])

for (const mode of modes) {
  t.test(`${mode}: an account is connected once, however often the browser comes back`, async t => {
    const { hub, market, application, begin, consent, comeBack } = await openMarketplaceA(t, { mode })
    const begun = await begin()
    const { authorizationUrl, state } = begun.json as { authorizationUrl: string, state: string }
    const query = await consent(authorizationUrl)
    const ends = await Promise.all([comeBack(query), comeBack(query), comeBack(query)])
    const again = await comeBack(query)
    const others = [new URLSearchParams(query), new URLSearchParams(query)]
    others[0]?.set('code', 'another-code')
    others[1]?.delete('code')
    for (const other of others) {
      const { status, json } = await comeBack(other)
      t.match({ status, ...json as Problem }, { status: 400, detail: 'Invalid state parameter' }, 'of another code')
    }
    const connections = (await hub.call('GET', '/connections?platformType=mkta')).json as Connection[]
    const [row] = await hub.database().query<{ ref: string, encrypted: boolean, json: Record<string, string> }>(
      'select ref, encrypted, credentials_json as json from integration_credentials where platform_type = $1',
      ['mkta']
    )

    t.equal(begun.status, 200)
    t.match(Object.fromEntries(new URL(authorizationUrl).searchParams), {
      client_id: application.clientId,
      response_type: 'code',
      redirect_uri: application.redirectUri,
      state,
      code_challenge_method: 'S256'
    })
    t.ok(authorizationUrl.startsWith(`${market.web.url}/auth/oauth/authorize?`))
    t.equal(Buffer.from(state, 'base64url').length, 32)
    for (const { status, json } of [...ends, again]) {
      t.equal(status, 200)
      t.strictSame(json, ends[0]?.json)
    }
    t.match(
      again.json,
      {
        connectionId: connections[0]?.id,
        connectionName: 'Marketplace A',
        message: String,
        refreshAvailable: true
      }
    )
    t.equal(connections.length, 1)
    t.match(connections[0], {
      status: 'active',
      adapterKey: 'mkta.publicapi.v1',
      config: { environment: 'sandbox' },
      credentialsRef: `db:${row?.ref}`
    })
    t.match(row?.ref, /^mkta_sandbox_\d{13}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    t.strictSame(Object.keys(row?.json ?? {}).toSorted(), ['accessToken', 'expiresAt', 'refreshToken'])
    t.equal(market.web.requests.matching({ method: 'POST' }).length, 1, 'the code was exchanged once')
  })

  t.test(`${mode}: a code that cannot be exchanged is answered with the reason, and nothing is stored`, async t => {
    const { hub, begin, consent, comeBack, application, clock, market } = await openMarketplaceA(t, { mode })
    const answerOf = async (
      change: (query: URLSearchParams) => unknown,
      more: object = {}
    ): Promise<[number, string]> => {
      const { authorizationUrl } = (await begin(more)).json as { authorizationUrl: string }
      const query = await consent(authorizationUrl)
      await change(query)
      const { status, json } = await comeBack(query)
      return [status, (json as Problem).detail]
    }
    const other = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
    const foreign = (await other.begin()).json as { state: string }

    t.strictSame(await answerOf(query => query.set('state', randomBytes(32).toString('base64url'))), [
      400,
      'Invalid state parameter'
    ], 'forged')
    t.strictSame(
      await answerOf(query => query.set('state', foreign.state)),
      [400, 'Invalid state parameter'],
      'of another environment'
    )
    t.strictSame(await answerOf(query => query.delete('state')), [400, 'Invalid state parameter'], 'missing')
    t.strictSame(
      await answerOf(() => hub.database().query("update flows set expires_at = now() - interval '1 second'")),
      [400, 'Invalid state parameter'],
      'after ten minutes'
    )
    t.strictSame(await answerOf(() => undefined, { clientSecret: 'not-it' }), [400, 'Authentication failed'])
    t.match(
      await answerOf(() => {
        clock.advance(11_000)
      }),
      [400, /Invalid authorization code/]
    )
    const refused = await answerOf(async query => {
      query.delete('code')
      query.set('error', 'access_denied')
      query.set('error_description', 'User denied access')
    })
    t.match(refused, [400, /access_denied: User denied access/])
    market.web.faults.add({
      path: /token/,
      answer: { status: 400, body: { error: 'invalid_grant', error_description: 'Redirect URI mismatch.' } }
    })
    t.strictSame(await answerOf(() => undefined), [400, 'Invalid redirect_uri'])
    // A failed exchange consumes the state.
    const { authorizationUrl } = (await begin()).json as { authorizationUrl: string }
    const query = await consent(authorizationUrl)
    market.web.faults.add({ path: /token/, answer: { status: 503, body: {} } })
    const broken = await comeBack(query)
    t.equal(broken.status, 503)
    t.match((await comeBack(query)).json, { status: 400, detail: 'Invalid state parameter' })

    t.strictSame((await hub.call('GET', '/connections?platformType=mkta')).json, [])
    const [left] = await hub.database().query<{ count: number }>(
      'select count(*)::integer as count from integration_credentials where platform_type = $1',
      ['mkta']
    )
    t.equal(left?.count, 0)
    t.notOk(hub.log.some(line => line.includes(application.clientSecret)))
  })

  t.test(`${mode}: the client secret is nowhere after the callback`, async t => {
    const { hub, application, begin, consent, comeBack } = await openMarketplaceA(t, {
      mode,
      hasSecret: false,
      variables: { LOG_LEVEL: 'trace' }
    })
    const { authorizationUrl } = (await begin()).json as { authorizationUrl: string }
    const { status, json } = await comeBack(await consent(authorizationUrl))
    const tables = await hub.database().query<
      { name: string }
    >("select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not " +
      "in ('pg_catalog', 'information_schema')")
    const texts = [
      application.clientSecret,
      Buffer.from(application.clientSecret).toString('base64'),
      Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64')
    ]
    for (const { name } of tables) {
      const found = await hub.database().query(
        `select 1 from ${name} as row where ${
          texts.map((_, index) => `row::text like '%' || $${index + 1} || '%'`).join(' or ')
        } limit 1`,
        texts
      )
      t.equal(found.length, 0, name)
    }
    for (const { key, dump } of await dumpRedis(hub.variables.REDIS_URL)) {
      t.notOk(texts.some(text => dump.includes(text)), key)
    }

    t.equal(status, 200)
    t.match(json, { refreshAvailable: false })
    t.notOk(hub.log.some(line => texts.some(text => line.includes(text))), 'not in the log')
  })
}

t.test('an existing connection is authorised again by the same account only', async t => {
  const { hub, market, begin, consent, comeBack, authorise } = await openMarketplaceA(t, {
    mode: cheapestMode(process.env)
  })
  const connectionId = await authorise()
  const before = (await hub.call('GET', `/connections/${connectionId}`)).json as Connection
  const again = await authorise({ connectionId, connectionName: 'Another name' })
  market.consent.account = { ...market.consent.account, id: '44300002', login: 'somebody_else' }
  const { authorizationUrl } = (await begin({ connectionId })).json as { authorizationUrl: string }
  const refused = await comeBack(await consent(authorizationUrl))
  const after = (await hub.call('GET', `/connections/${connectionId}`)).json as Connection

  t.equal(again, connectionId)
  t.match(after, { name: before.name, credentialsRef: before.credentialsRef })
  t.match(refused.json, {
    status: 409,
    code: 'LNK_ACCOUNT_DIFFERS',
    detail: /'somebody_else'.*'seller_login'/
  })
  t.match((await begin({ connectionId: randomUUID() })).json, { status: 404, detail: 'Connection not found' })
  t.match((await begin({ connectionId, environment: 'production' })).json, { status: 400 })
})

t.test('a redirect address is https, or http on localhost with the sandbox', async t => {
  const { begin } = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
  const refused = async (body: object) => {
    const { status, json } = await begin(body)
    return [status, (json as Problem).errors?.map(({ pointer }) => pointer)]
  }
  t.strictSame(await refused({ redirectUri: 'http://hub.example/callback' }), [400, ['/redirectUri']])
  t.strictSame(await refused({ redirectUri: 'ftp://localhost/callback' }), [400, ['/redirectUri']])
  t.strictSame(await refused({ redirectUri: `https://hub.example${callbackPath}#x` }), [400, ['/redirectUri']])
  t.equal((await begin({ redirectUri: `http://localhost:3000${callbackPath}` })).status, 200)
  t.equal((await begin({ extra: true })).status, 400)
})

t.test('an authorisation that began in the console ends there, with its connection or its reason', async t => {
  const { hub, begin, consent, comeBack } = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
  const returnTo = '/console/connections/new/mkta'
  const goOut = async (): Promise<URLSearchParams> =>
    consent(((await begin({ returnTo })).json as { authorizationUrl: string }).authorizationUrl)
  const query = await goOut()
  const [first, second] = [await comeBack(query), await comeBack(query)]
  const denied = await goOut()
  denied.delete('code')
  denied.set('error', 'access_denied')
  const refused = await comeBack(denied)
  const [connection] = (await hub.call('GET', '/connections?platformType=mkta')).json as Connection[]
  const location = new URL(String(refused.headers.location), hub.url)

  t.strictSame([first.status, first.headers.location, first.text], [
    303,
    `${returnTo}?connectionId=${connection?.id}`,
    ''
  ])
  t.equal(second.headers.location, first.headers.location)
  t.equal(refused.status, 303)
  t.equal(location.pathname, returnTo)
  t.equal(location.searchParams.get('error'), 'LNK_ADAPTER_REJECTED')
  t.match(location.searchParams.get('detail'), 'access_denied')
  t.equal((await comeBack(denied)).headers.location, refused.headers.location)
  t.match((await begin({ returnTo: '//attacker.example' })).json, { status: 400, errors: [{ pointer: '/returnTo' }] })
})
