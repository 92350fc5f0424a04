import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { Answer } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

interface Connection {
  status: string
  statusReason: string | null
  credentialsRef: string
}
interface TestResult {
  success: boolean
  status?: number
  message: string
  latencyMs: number
  checks: { name: string, ok: boolean, ms: number, hint?: string }[]
}
interface CredentialRow {
  ref: string
  platform_type: string
  credentials_json: Record<string, unknown>
  encrypted: boolean
}

const mode = cheapestMode(process.env)

async function test (hub: TestHub, id: string): Promise<TestResult> {
  const answer = await hub.call('POST', `/connections/${id}/test`)
  if (answer.status !== 200) throw new Error(`the test was answered ${answer.status}: ${answer.text}`)
  return answer.json as TestResult
}

async function read (hub: TestHub, id: string): Promise<Connection> {
  return (await hub.call('GET', `/connections/${id}`)).json as Connection
}

async function credentialRow (hub: TestHub, id: string): Promise<CredentialRow> {
  const { credentialsRef } = await read(hub, id)
  const [row] = await hub.database().query<CredentialRow>('select * from integration_credentials where ref = $1', [
    credentialsRef.replace(/^db:/, '')
  ])
  if (row === undefined) throw new Error('the connection has no credential row')
  return row
}

function put (hub: TestHub, id: string, credentials: unknown, query = ''): Promise<Answer> {
  return hub.call('PUT', `/connections/${id}/credentials${query}`, { body: { credentials } })
}

t.test('the connection test', async t => {
  const hub = await buildTestHub(t, { mode })

  t.test('asks the platform with the stored credentials: marketplace B by GET /me with the key', async t => {
    const id = await hub.connect('mktb')
    const result = await test(hub, id)

    t.match(result, { success: true, status: 200, message: /my-shop/, checks: [{ name: 'upstream', ok: true }] })
    t.type(result.latencyMs, 'number')
    // The creation and the test also ask for the account.
    t.equal(hub.market.requests.entries.length, 3)
    for (const asked of hub.market.requests.entries) {
      t.match(asked, { method: 'GET', path: '/svc/shop-api/me', status: 200, headers: { authorization: 'Bearer ***' } })
    }
    t.match(await test(hub, await hub.connect('shopa')), { success: true })
  })

  t.test('is open for a disabled connection and leaves it disabled', async t => {
    const id = await hub.connect('mktb', { status: 'disabled' })

    t.match(await test(hub, id), { success: true })
    t.match(await read(hub, id), { status: 'disabled' })
  })

  t.test('tells of refused credentials, and the connection shows it until a test succeeds', async t => {
    const id = await hub.connect('mktb', { credentials: 'another-key' })
    const refused = await test(hub, id)
    const inError = await read(hub, id)
    await put(hub, id, hub.keys.market, '?test=false')
    await hub.call('PATCH', `/connections/${id}`, { body: { status: 'error' } })
    const accepted = await test(hub, id)

    t.match(refused, {
      success: false,
      status: 401,
      message: /refused the API key/,
      checks: [{ name: 'upstream', ok: false, hint: /refused the API key/ }]
    })
    t.match(inError, { status: 'error', statusReason: /refused the API key/ })
    t.match(accepted, { success: true })
    t.match(await read(hub, id), { status: 'active', statusReason: null })
  })

  t.test('tells of a platform that does not answer, without blaming the credentials', async t => {
    const id = await hub.connect('shopa', { credentials: { apiUrl: 'http://127.0.0.1:1/api', apiKey: hub.keys.shop } })
    const result = await test(hub, id)

    t.match(result, { success: false, message: /127\.0\.0\.1:1|ECONNREFUSED|connect/, checks: [{ ok: false }] })
    t.equal(result.status, undefined)
    t.match(await read(hub, id), { status: 'active', statusReason: null })
  })

  t.test(
    'is not reached for an address that the marketplace does not own: that is refused before it is stored, by a ' +
      'pointer',
    async t => {
      const before = hub.shop.requests.entries.length
      const config = { baseUrl: hub.shop.url.replace('127.0.0.1', 'localhost') }
      const created = await hub.call('POST', '/connections', {
        body: { name: 'Elsewhere', platformType: 'mktb', config, credentials: hub.keys.market }
      })
      const id = await hub.connect('mktb', { config: { baseUrl: ' ' } })
      const patched = await hub.call('PATCH', `/connections/${id}`, { body: { config } })
      const examined = await hub.call('POST', '/adapters/mktb.shopapi.v1/config/validate', { body: { config } })

      for (const answer of [created, patched]) {
        t.match(problemOf(answer), {
          status: 400,
          code: 'LNK_CONNECTION_INVALID',
          detail: /names the host 'localhost', which is not one of platforms\.mktb\.ownedHosts/
        })
        t.strictSame(pointersOf(answer), ['/config/baseUrl'])
      }
      t.match(examined.json, { valid: false, errors: [{ pointer: '/config/baseUrl' }] })
      t.match(await test(hub, id), { success: true }, 'a blank one is the address of the platform')
      t.equal(hub.shop.requests.entries.length, before)
    }
  )
})

t.test('new credentials', async t => {
  const hub = await buildTestHub(t, { mode })

  t.test('are tried first: those that fail are refused and the old ones stay', async t => {
    const id = await hub.connect('mktb')
    const before = await credentialRow(hub, id)
    const refused = await put(hub, id, 'another-key')

    t.match(problemOf(refused), {
      status: 400,
      code: 'LNK_CONNECTION_INVALID',
      detail: /the old ones stay.*refused the API key/
    })
    t.strictSame(await credentialRow(hub, id), before)
    t.match(await read(hub, id), { status: 'active' })
    t.match(await test(hub, id), { success: true })
  })

  t.test('are stored untried with test=false', async t => {
    const id = await hub.connect('mktb')
    const answer = await put(hub, id, 'another-key', '?test=false')

    t.equal(answer.status, 204)
    t.equal(answer.text, '')
    t.match(await test(hub, id), { success: false, status: 401 })
  })

  t.test('bring a connection from error to active, and leave a disabled one disabled', async t => {
    const broken = await hub.connect('mktb', { credentials: 'another-key', status: 'error' })
    const disabled = await hub.connect('mktb', { credentials: 'another-key', status: 'disabled' })
    const answers = [await put(hub, broken, { apiKey: hub.keys.market }), await put(hub, disabled, hub.keys.market)]

    t.strictSame(answers.map(({ status }) => status), [204, 204])
    t.match(await read(hub, broken), { status: 'active', statusReason: null })
    t.match(await read(hub, disabled), { status: 'disabled' })
  })

  t.test('take the place of a row that was deleted', async t => {
    const id = await hub.connect('mktb')
    await hub.database().query('delete from integration_credentials')
    const missing = await hub.call('POST', `/connections/${id}/test`)
    const answer = await put(hub, id, hub.keys.market)

    t.match(problemOf(missing), { status: 400, code: 'LNK_CREDENTIALS_NOT_FOUND' })
    t.equal(answer.status, 204)
    t.match(await test(hub, id), { success: true })
  })

  t.test('must fit the schema of the adapter', async t => {
    const id = await hub.connect('shopa')
    const answer = await put(hub, id, { apiUrl: 'no address', apikey: 'k' }, '?test=false')

    t.equal(answer.status, 400)
    t.strictSame(pointersOf(answer).toSorted(), ['/credentials/apiKey', '/credentials/apiUrl', '/credentials/apikey'])
  })
})

t.test('credentials at rest are encrypted under a key, which production asks for', async t => {
  const canary = `canary-${randomBytes(16).toString('hex')}`
  const key = `k1:${randomBytes(32).toString('base64')}`
  const hub = await buildTestHub(t, { mode })
  const dump = async (): Promise<string> =>
    JSON.stringify(await hub.database().query('select * from integration_credentials'))

  const plain = await hub.connect('shopa', { credentials: { apiUrl: hub.shop.apiUrl, apiKey: canary } })
  const row = await credentialRow(hub, plain)
  t.match(row, {
    platform_type: 'shopa',
    encrypted: false,
    credentials_json: { apiUrl: hub.shop.apiUrl, apiKey: canary }
  }, 'plain without a key, as specified')
  t.match(row.ref, /^shopa_\d{13}_[0-9a-f-]{36}$/)

  await hub.restart({ variables: { LINKER_CREDENTIALS_KEY: key } })
  t.equal((await put(hub, plain, { apiUrl: hub.shop.apiUrl, apiKey: hub.keys.shop })).status, 204)
  const sealed = await hub.connect('shopa', { credentials: { apiUrl: hub.shop.apiUrl, apiKey: canary } })
  const text = await dump()

  t.match(await credentialRow(hub, plain), {
    encrypted: true,
    credentials_json: { v: 1, kid: 'k1', nonce: String, ciphertext: String, tag: String }
  }, 'replaced under a key')
  t.match(await credentialRow(hub, sealed), { encrypted: true })
  t.notMatch(text, canary)
  t.notMatch(text, hub.keys.shop)
  t.notMatch(text, Buffer.from(canary).toString('base64'))
  t.match(await test(hub, plain), { success: true }, 'they open for the call')

  await hub.database().query(
    `
    update integration_credentials set credentials_json = other.credentials_json
    from integration_credentials as other where integration_credentials.ref = $1 and other.ref = $2`,
    [(await credentialRow(hub, plain)).ref, (await credentialRow(hub, sealed)).ref]
  )
  t.equal(
    (await hub.call('POST', `/connections/${plain}/test`)).status,
    500,
    'the content of another row does not open'
  )

  await t.rejects(hub.restart({ variables: { NODE_ENV: 'production' } }), {
    code: 'LNK_CONFIG_INVALID',
    message: /LINKER_CREDENTIALS_KEY.*LINKER_CREDENTIALS_ENCRYPTION=off/
  })
  await hub.restart({ variables: { NODE_ENV: 'production', LINKER_CREDENTIALS_ENCRYPTION: 'off' } })
  t.equal((await hub.call('GET', `/connections/${sealed}`)).status, 200, 'production without a key, said explicitly')

  await hub.restart()
  const withoutKey = await hub.call('POST', `/connections/${sealed}/test`)
  t.match(problemOf(withoutKey), { status: 500, code: 'LNK_CONFIG_INVALID', detail: /LINKER_CREDENTIALS_KEY/ })
})

t.test('a reference to credentials names the environment, however the connection was made', async t => {
  const hub = await buildTestHub(t, { mode })
  const credentials = { accessToken: 'a', refreshToken: 'r', expiresAt: '2030-01-01T00:00:00Z' }
  const { json } = await hub.call('POST', '/connections', {
    body: { name: 'Market', platformType: 'mkta', config: { environment: 'sandbox' }, credentials }
  })
  const { id } = json as { id: string }
  const first = await credentialRow(hub, id)
  await hub.database().query('delete from integration_credentials where ref = $1', [first.ref])
  t.equal((await hub.call('PUT', `/connections/${id}/credentials?test=false`, { body: { credentials } })).status, 204)
  const second = await credentialRow(hub, id)

  for (const { ref } of [first, second]) t.match(ref, /^mkta_sandbox_\d{13}_[0-9a-f-]{36}$/)
  t.not(first.ref, second.ref)
})

t.test('no secret is in an answer or in a log line', async t => {
  const canaries = {
    shop: `shop${randomBytes(14).toString('hex')}`,
    market: `market-${randomBytes(16).toString('hex')}`,
    second: `second-${randomBytes(16).toString('hex')}`
  }
  const hub = await buildTestHub(t, { mode, variables: { LOG_LEVEL: 'trace' } })
  const answers: Answer[] = []
  const call: TestHub['call'] = async (...args) => {
    const answer = await hub.call(...args)
    answers.push(answer)
    return answer
  }
  const create = async (body: object): Promise<string> =>
    ((await call('POST', '/connections', { body: { name: 'Canary', ...body } })).json as { id: string }).id

  const shop = await create({ platformType: 'shopa', credentials: { apiUrl: hub.shop.apiUrl, apiKey: canaries.shop } })
  const market = await create({ platformType: 'mktb', credentials: canaries.market })
  await create({ platformType: 'shopa', credentials: { apiUrl: 7, apiKey: canaries.shop } })
  await create({ platformType: 'shopa', credentials: canaries.shop })
  await create({ platformType: 'mktb', credentials: { apiKey: `${canaries.market}\n` } })
  await create({ platformType: 'mktb', credentials: { apiKey: canaries.market, [canaries.second]: 1 } })
  await call('POST', '/connections', { body: `{"name":"x","platformType":"mktb","credentials":"${canaries.market}"` })
  // The platform repeats the request in its error message.
  hub.market.faults.add({
    path: /me$/,
    answer: { status: 403, body: { message: `the key ${canaries.market} is not known` } }
  })
  for (const id of [shop, market]) {
    await call('POST', `/connections/${id}/test`)
    await call('PUT', `/connections/${id}/credentials`, { body: { credentials: canaries.second } })
    await call('PATCH', `/connections/${id}`, { body: { config: { note: 1 }, status: 'active' } })
    await call('GET', `/connections/${id}`)
    await call('PATCH', `/connections/${id}/disable`)
  }
  for (
    const path of ['/connections', '/adapters', '/jobs', '/offers', '/products', '/openapi.json', '/healthz', '/readyz']
  ) await call('GET', path)
  await hub.deliver(shop, { eventType: 'stock.changed', objectType: 'stock', externalId: '27' })
  await hub.call('GET', '/connections', { headers: { authorization: `Bearer ${canaries.second}` } })

  const said = [...answers.map(({ text, headers }) => text + JSON.stringify(headers)), ...hub.log].join('\n')
  for (const [name, secret] of Object.entries({ ...canaries, admin: hub.keys.admin, webhook: hub.keys.webhook })) {
    const forms = [
      secret,
      Buffer.from(secret).toString('base64'),
      Buffer.from(`${secret}:`).toString('base64'),
      encodeURIComponent(secret)
    ]
    // The pointer repeats the member name that the client chose.
    if (name !== 'second') t.notOk(forms.some(form => said.includes(form)), name)
  }
  t.notOk(
    hub.log.some(line => line.includes(canaries.second)),
    'nor in the log when the client puts one in the wrong place'
  )
  t.ok(hub.log.some(line => line.includes('upstream call')), 'the log is the whole one')
})
