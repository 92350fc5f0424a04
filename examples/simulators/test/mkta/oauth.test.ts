import { createHash } from 'node:crypto'
import t from 'tap'
import { send } from '../support.ts'
import { application, client, openMktA } from './market.ts'

const { redirectUri } = application
const grantType = 'authorization_code'

t.test('a seller who agrees comes back with a code, valid once, for ten seconds and the same address', async t => {
  const { clock, authorise, token, me } = await openMktA(t)
  const code = async () => (await authorise()).searchParams.get('code') ?? ''
  const target = await authorise()
  const first = target.searchParams.get('code') ?? ''

  const { status, body } = await token({ grant_type: grantType, code: first, redirect_uri: redirectUri })

  t.equal(target.href, `${redirectUri}&code=${first}&state=the-state`)
  t.match({ status, body }, {
    status: 200,
    body: { token_type: 'bearer', expires_in: 43_199, scope: /mkta:api:profile:read/ }
  })
  t.match((await me(String(body.access_token))).json(), { id: '44300001', login: 'seller_login' })
  const again = await token({ grant_type: grantType, code: first, redirect_uri: redirectUri })
  t.match(again, { status: 400, body: { error: 'invalid_grant', error_description: /^Invalid authorization code/ } })
  const elsewhere = await token({
    grant_type: grantType,
    code: await code(),
    redirect_uri: 'https://hub.example/oauth/callback'
  })
  t.match(elsewhere, { status: 400, body: { error: 'invalid_grant', error_description: 'Redirect URI mismatch.' } })
  const late = await code()
  clock.advance(10_000)
  t.match(await token({ grant_type: grantType, code: late, redirect_uri: redirectUri }), {
    status: 400,
    body: { error: 'invalid_grant' }
  })
})

t.test('a seller who refuses comes back with the error, and never to another address', async t => {
  const { market, authorise } = await openMktA(t)
  market.consent.decision = 'refuse'

  const { searchParams } = await authorise()

  t.match(Object.fromEntries(searchParams), { error: 'access_denied', state: 'the-state' })
  const query = new URLSearchParams({
    client_id: application.clientId,
    response_type: 'code',
    redirect_uri: `${redirectUri}&more`
  })
  const refused = await send(`${market.web.url}/auth/oauth/authorize?${query}`)
  t.match(refused, { status: 400, headers: { location: undefined } })
})

t.test('a code that was requested with a challenge needs its verifier', async t => {
  const { authorise, token } = await openMktA(t)
  const challenge = createHash('sha256').update('the-verifier').digest('base64url')
  const redeem = async (more: Record<string, string>) => {
    const { searchParams } = await authorise({ code_challenge: challenge, code_challenge_method: 'S256' })
    return token({ grant_type: grantType, code: searchParams.get('code') ?? '', redirect_uri: redirectUri, ...more })
  }

  t.match(await redeem({}), { status: 400, body: { error: 'invalid_grant' } })
  t.match(await redeem({ code_verifier: 'another' }), { status: 400, body: { error: 'invalid_grant' } })
  t.equal((await redeem({ code_verifier: 'the-verifier' })).status, 200)
})

t.test('a refresh ends the old pair, and using its refresh token again ends all pairs', async t => {
  const { market, token, me } = await openMktA(t)
  const pair = market.issueTokens()
  const refresh = (refreshToken: unknown) => token({ grant_type: 'refresh_token', refresh_token: String(refreshToken) })

  const { body } = await refresh(pair.refreshToken)

  t.not(body.refresh_token, pair.refreshToken)
  t.match((await me(pair.accessToken)).json(), { error: 'invalid_token', error_description: /^Access token expired/ })
  t.equal((await me(String(body.access_token))).status, 200)
  t.match(await refresh(pair.refreshToken), {
    status: 400,
    body: { error: 'invalid_grant', error_description: /^Invalid refresh token/ }
  })
  t.equal((await me(String(body.access_token))).status, 401)
  t.match(await refresh(body.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
})

t.test('a refresh that fails before it is handled leaves the refresh token valid', async t => {
  const { market, token } = await openMktA(t)
  const form = { grant_type: 'refresh_token', refresh_token: market.issueTokens().refreshToken }
  market.web.faults.add({ path: '/auth/oauth/token', answer: { status: 503, body: {} } })

  t.equal((await token(form)).status, 503)
  t.equal((await token(form)).status, 200)
})

t.test('access tokens last 12 hours, refresh tokens 90 days, and a sign-out everywhere ends both', async t => {
  const { clock, market, token, me } = await openMktA(t)
  const [pair, other] = [market.issueTokens(), market.issueTokens()]
  const refresh = (refreshToken: string) => token({ grant_type: 'refresh_token', refresh_token: refreshToken })

  clock.advance(12 * 3_600_000 - 1)
  t.equal((await me(pair.accessToken)).status, 200)
  clock.advance(1)
  t.equal((await me(pair.accessToken)).status, 401)
  clock.advance(89 * 86_400_000)
  t.equal((await refresh(pair.refreshToken)).status, 200)
  clock.advance(86_400_000)
  t.equal((await refresh(other.refreshToken)).status, 400)
  const last = market.issueTokens()
  market.revokeTokens()
  t.equal((await me(last.accessToken)).status, 401)
  t.equal((await refresh(last.refreshToken)).status, 400)
})

t.test('the token endpoint names the fault of a request', async t => {
  const { market, token } = await openMktA(t)
  const form = { grant_type: grantType, code: 'x', redirect_uri: redirectUri }

  t.match(await token(form, 'Bearer x'), { status: 401, body: { error: 'unauthorized' } })
  t.match(await token(form, `Basic ${btoa('the-client:other')}`), { status: 401, body: { error: 'invalid_client' } })
  t.match(await token({ grant_type: grantType }), {
    status: 400,
    body: { error: 'invalid_request', error_description: 'An authorization code must be supplied.' }
  })
  t.match(await token({ grant_type: 'password' }), { status: 400, body: { error: 'unsupported_grant_type' } })
  const query = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: market.issueTokens().refreshToken })
  const request = { method: 'POST', headers: { authorization: client } }
  t.equal((await send(`${market.web.url}/auth/oauth/token?${query}`, request)).status, 200)
})

t.test('one authorisation too many ends the oldest of the account', async t => {
  const { market, me } = await openMktA(t)
  market.lifetimes.sessions = 2
  const pairs = [market.issueTokens(), market.issueTokens(), market.issueTokens()]

  t.strictSame(await Promise.all(pairs.map(async ({ accessToken }) => (await me(accessToken)).status)), [401, 200, 200])
})
