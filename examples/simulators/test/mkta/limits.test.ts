import t from 'tap'
import { openMktA } from './market.ts'

t.test('one request above the limit of a minute blocks the client id for a minute', async t => {
  const { clock, market, call } = await openMktA(t)
  market.limits.requestsPerMinute = 2

  t.strictSame([(await call('GET', '/me')).status, (await call('GET', '/me')).status], [200, 200])
  t.strictSame(market.limitCounts(), { requests: 2, blockedUntil: null, refused: 0, users: {} })
  t.match(await call('GET', '/me'), { status: 429, headers: { 'retry-after': '60' } })
  clock.advance(59_000)
  t.match(await call('GET', '/me'), { status: 429, headers: { 'retry-after': '1' } })
  t.strictSame(market.limitCounts(), { requests: 3, blockedUntil: '2025-01-01T12:01:00.000Z', refused: 2, users: {} })
  clock.advance(1_000)
  t.equal((await call('GET', '/me')).status, 200)
  t.strictSame(market.limitCounts(), { requests: 1, blockedUntil: null, refused: 2, users: {} })
})

t.test("the default limit is the marketplace's, and other users of the application count too", async t => {
  const { clock, market, call } = await openMktA(t)

  market.burst(8_999)
  t.equal((await call('GET', '/me')).status, 200)
  t.equal((await call('GET', '/me')).status, 429)
  clock.advance(60_000)
  market.burst(9_001)
  market.limits.sendsRetryAfter = false
  t.match(await call('GET', '/me'), { status: 429, headers: { 'retry-after': undefined } })
  t.match((await call('GET', '/me')).json(), { errors: [{ code: 'TOO_MANY_REQUESTS' }] })
})

t.test('an invalid token is refused as such and does not count', async t => {
  const { market, me } = await openMktA(t)
  market.burst(9_001)

  t.equal((await me('unknown')).status, 401)
  t.equal(market.limitCounts().refused, 0)
})

t.test('reads and changes of offers have draining buckets for each user', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1' })
  Object.assign(market.limits, { offerReadsPerMinute: 2, offerPatchesPerMinute: 1, offerChangesPerMinute: 3 })
  const read = async (headers = {}) => (await call('GET', '/sale/product-offers/1', undefined, headers)).status
  const patch = () => call('PATCH', '/sale/product-offers/1', { name: 'Mug' })
  const offers = (count: number) => ({
    modification: { changeType: 'FIXED', value: 1 },
    offerCriteria: [{ type: 'CONTAINS_OFFERS', offers: Array.from({ length: count }, (_, id) => ({ id: String(id) })) }]
  })
  const change = async (count: number) =>
    (await call('PUT', `/sale/offer-quantity-change-commands/${crypto.randomUUID()}`, offers(count))).status

  t.strictSame([await read(), await read(), await read()], [200, 200, 429])
  t.strictSame([(await patch()).status, (await patch()).headers['retry-after']], [200, '60'])
  t.strictSame([await change(2), await change(2), await change(1)], [201, 429, 201])
  t.equal((await call('GET', '/sale/offers')).status, 200)
  t.match(market.limitCounts(), {
    requests: 9,
    refused: 3,
    users: { 44300001: { offerReads: 2, offerPatches: 1, offerChanges: 3 } }
  })
  clock.advance(30_000)
  t.match(market.limitCounts().users['44300001'], { offerReads: 1, offerPatches: 0.5, offerChanges: 1.5 })
  t.strictSame([await read(), await read()], [200, 429])
  market.consent.account.id = '44300002'
  t.equal(
    await read({ authorization: `Bearer ${market.issueTokens().accessToken}` }),
    403,
    'another user has a bucket of its own'
  )
})
