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

function commandFor (count: number) {
  return {
    modification: { changeType: 'FIXED', value: 1 },
    offerCriteria: [{ type: 'CONTAINS_OFFERS', offers: Array.from({ length: count }, (_, id) => ({ id: String(id) })) }]
  }
}

t.test('reads and changes of offers have draining buckets for each user', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1' })
  Object.assign(market.limits, { offerReadsPerMinute: 2, offerPatchesPerMinute: 1 })
  market.limits.offerChanges.quantity.perMinute = 3
  const read = async (headers = {}) => (await call('GET', '/sale/product-offers/1', undefined, headers)).status
  const patch = () => call('PATCH', '/sale/product-offers/1', { name: 'Mug blue 300 ml' })
  const change = async (count: number) =>
    (await call('PUT', `/sale/offer-quantity-change-commands/${crypto.randomUUID()}`, commandFor(count))).status

  t.strictSame([await read(), await read(), await read()], [200, 200, 429])
  t.strictSame([(await patch()).status, (await patch()).headers['retry-after']], [200, '60'])
  t.strictSame([await change(2), await change(2), await change(1)], [201, 429, 201])
  t.equal((await call('GET', '/sale/offers')).status, 200)
  t.match(market.limitCounts(), {
    requests: 9,
    refused: 3,
    users: { 44300001: { offerReads: 2, offerPatches: 1, quantityChangesOfMinute: 3 } }
  })
  clock.advance(30_000)
  t.match(market.limitCounts().users['44300001'], { offerReads: 1, offerPatches: 0.5, quantityChangesOfMinute: 1.5 })
  t.strictSame([await read(), await read()], [200, 429])
  market.consent.account.id = '44300002'
  t.equal(
    await read({ authorization: `Bearer ${market.issueTokens().accessToken}` }),
    403,
    'another user has a bucket of its own'
  )
})

t.test('commands count their offers by kind, in a minute and in an hour, and reports count theirs', async t => {
  const { clock, market, call } = await openMktA(t)
  for (let id = 0; id < 3; id++) market.addOffer({ id: String(id) })
  const paths = {
    quantity: '/sale/offer-quantity-change-commands',
    price: '/sale/offer-price-change-commands',
    publication: '/sale/offer-publication-commands'
  }
  const bodyOf = (count: number) => ({
    quantity: commandFor(count),
    price: {
      ...commandFor(count),
      modification: {
        type: 'FIXED_PRICE',
        marketplaceId: 'mkta-pl',
        price: { amount: '59.00', currency: 'PLN' }
      }
    },
    publication: { publication: { action: 'ACTIVATE' }, offerCriteria: commandFor(count).offerCriteria }
  })
  const put = async (kind: keyof typeof paths, count: number, id = crypto.randomUUID()) =>
    (await call('PUT', `${paths[kind]}/${id}`, bodyOf(count)[kind])).status

  t.strictSame(market.limits.offerChanges, {
    quantity: { perMinute: 9_000, perHour: 250_000 },
    price: { perMinute: 9_000, perHour: 150_000 },
    publication: { perMinute: 9_000, perHour: 250_000 }
  })
  t.equal(market.limits.reportedOffersPerMinute, 270_000)
  for (const kind of ['quantity', 'price', 'publication'] as const) {
    market.limits.offerChanges[kind] = { perMinute: 3, perHour: 4 }
    t.strictSame([await put(kind, 3), await put(kind, 1)], [201, 429], kind)
  }
  clock.advance(60_000)
  t.strictSame([await put('quantity', 2), await put('quantity', 1)], [429, 201], 'the hour has one left')

  market.limits.offerChanges.quantity = { perMinute: 9, perHour: 9 }
  market.limits.reportedOffersPerMinute = 5
  const id = crypto.randomUUID()
  t.equal(await put('quantity', 3, id), 201)
  clock.advance(1_000)
  const read = async (path = '') => (await call('GET', `${paths.quantity}/${id}${path}`)).status
  t.strictSame([await read(), await read('/tasks?limit=2'), await read()], [200, 200, 429])
})
