import t from 'tap'
import { codes, send } from '../support.ts'
import { mediaType, openMktA } from './market.ts'

t.test('the account is on the REST host only, for a token of this marketplace', async t => {
  const { market, call, me } = await openMktA(t)
  const other = await openMktA(t)

  const answer = await call('GET', '/me')

  t.match(answer, {
    status: 200,
    headers: { 'content-type': new RegExp(`^${mediaType.replaceAll('+', '\\+')}`), 'trace-id': /./ }
  })
  t.equal((await send(`${market.web.url}/me`)).status, 403)
  t.match((await me(other.market.issueTokens().accessToken)).json(), {
    error: 'invalid_token',
    error_description: 'Cannot convert access token to JSON'
  })
  t.match((await send(`${market.rest.url}/me`)).json(), { error: 'unauthorized' })
})

t.test('other media types and languages are refused', async t => {
  const { market, call } = await openMktA(t)
  market.addOffer({ id: '1' })

  t.match(await call('GET', '/me', undefined, { accept: 'application/json' }), { status: 406 })
  t.match(await call('PATCH', '/sale/product-offers/1', { name: 'Mug' }, { 'content-type': 'application/json' }), {
    status: 415
  })
  const german = await call('GET', '/me', undefined, { 'accept-language': 'de-DE' })
  t.equal(german.status, 422)
  t.strictSame(codes(german), ['UnsupportedLanguageInAcceptLanguageHeader'])
  t.equal((await call('GET', '/me', undefined, { 'accept-language': 'pl-PL' })).status, 200)
})

t.test('a limit is a fault, with and without the time to wait, and the log masks the token', async t => {
  const { market, call } = await openMktA(t)
  market.rest.faults.add({
    path: '/me',
    answer: { status: 429, headers: { 'retry-after': '3' }, body: { errors: [] } }
  })
  market.rest.faults.add({ path: '/me', answer: { status: 429 } })

  t.match(await call('GET', '/me'), { status: 429, headers: { 'retry-after': '3' } })
  t.match(await call('GET', '/me'), { status: 429, headers: { 'retry-after': undefined } })
  const masked = { authorization: 'Bearer ***' }
  t.match(market.rest.requests.matching({ path: '/me' }), [{ status: 429, headers: masked }, { status: 429 }])
})
