import { createTestHost, type InjectedAnswer } from '@linker/sdk/testing'
import nock from 'nock'
import t from 'tap'
import packageJson from '../../package.json' with { type: 'json' }
import adapter from '../../src/index.ts'
import { platform, rest } from '../marketplace.ts'

const seller = { id: '44300001', login: 'seller' }
const other = { id: '44300002', login: 'somebody_else' }

t.before(() => {
  nock.disableNetConnect()
})
t.afterEach(() => {
  const pending = nock.pendingMocks()
  nock.cleanAll()
  if (pending.length > 0) throw new Error(`expected requests that were not sent: ${pending.join(', ')}`)
})
t.teardown(() => {
  nock.enableNetConnect()
})

/** A connection that was made from tokens. */
async function open () {
  const host = createTestHost({ now: new Date('2025-01-02T12:00:00Z') })
  t.teardown(() => host.close())
  const credentials = {
    accessToken: 'access-token-1',
    refreshToken: 'refresh-token-1',
    expiresAt: '2025-01-03T00:00:00.000Z'
  }
  const connection = await host.open({
    manifest: packageJson.linker,
    definition: adapter,
    connection: { id: '0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41' },
    config: { environment: 'sandbox' },
    credentials,
    platform
  })

  async function poll (): Promise<void> {
    rest().get('/sale/offer-events?limit=1000').reply(200, { offerEvents: [] })
    await connection.run('mkta.offerEvents.poll', {})
  }

  /** Authorises the connection as `account`. */
  async function authorise (account: object): Promise<InjectedAnswer> {
    const application = {
      clientId: 'client-1',
      clientSecret: 'client-secret-of-the-sandbox',
      redirectUri: 'https://hub.test/callback'
    }
    const begun = await connection.inject({
      method: 'POST',
      path: '/oauth/connect',
      body: { ...application, environment: 'sandbox', connectionName: 'A', connectionId: connection.id },
      scope: 'admin'
    })
    const { state } = begun.body as { state: string }
    nock('https://sandbox.test').post('/auth/oauth/token').reply(200, {
      access_token: 'access-token-2',
      token_type: 'bearer',
      refresh_token: 'refresh-token-2',
      expires_in: 43_199
    })
    rest({ authorization: 'Bearer access-token-2' }).get('/me').reply(200, account)
    return connection.inject({ method: 'GET', path: '/oauth/callback', query: { state, code: 'code-1' } })
  }

  return { poll, authorise, test: () => connection.test() }
}

t.test('only the account of the first tokens may authorise a connection again', async t => {
  const { poll, authorise } = await open()
  rest().get('/me').reply(200, seller)
  await poll()
  await poll()

  t.match(await authorise(other), {
    status: 400,
    body: { code: 'LNK_ADAPTER_REJECTED', detail: /somebody_else.*44300002.*seller.*44300001/ }
  })
  t.match(await authorise(seller), { status: 200, body: { message: /seller/ } })
  t.match(await authorise(other), { status: 400 })
})

t.test('the connection test stores no account, and a failed poll asks for it again', async t => {
  const { poll, authorise, test } = await open()
  rest().get('/me').reply(200, other)
  await test()
  rest().get('/me').reply(403)
  await t.resolves(poll())
  rest().get('/me').reply(200, seller)
  await poll()

  t.match(await authorise(other), { status: 400, body: { code: 'LNK_ADAPTER_REJECTED' } })
})
