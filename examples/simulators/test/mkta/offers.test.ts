import t from 'tap'
import { codes } from '../support.ts'
import { openMktA } from './market.ts'

t.test('a list is filtered and paged, and lacks details and the offers of other sellers', async t => {
  const { market, call } = await openMktA(t)
  for (const id of ['1', '2', '3']) {
    market.addOffer({
      id,
      external: { id: `variant-${id}` },
      sellingMode: { price: { amount: `${58 + Number(id)}.00`, currency: 'PLN' } },
      publication: { status: id === '3' ? 'ENDED' : 'ACTIVE' }
    })
  }
  market.addOffer({ id: '4', sellerId: 'another' })
  const list = async (query: string) =>
    (await call('GET', `/sale/offers?${query}`)).json() as {
      offers: Array<{ id: string }>,
      count: number,
      totalCount: number
    }
  const ids = async (query: string) => (await list(query)).offers.map(({ id }) => id)

  t.strictSame(await ids('publication.status=ACTIVE&publication.status=ENDED'), ['1', '2', '3'])
  t.strictSame(await ids('publication.status=ENDED'), ['3'])
  t.strictSame(await ids('external.id=variant-2&external.id=variant-1'), ['1', '2'])
  t.strictSame(await ids('sort=-sellingMode.price.amount&sellingMode.price.amount.gte=59.01&name=OFFER'), ['3', '2'])
  t.strictSame(await ids('sellingMode.price.amount.lte=59.00&sellingMode.format=BUY_NOW&category.id=257931'), ['1'])
  t.strictSame(await ids('publication.marketplace=mkta-cz'), [])
  t.strictSame(await ids(`delivery.shippingRates.id=${market.shippingRates[0]?.id}&offer.id=2`), ['2'])
  const tooManyIds = 'external.id=x&'.repeat(101)
  for (const query of ['sort=name', 'sellingMode.price.amount.gte=x', 'offset=9999999&limit=2', tooManyIds]) {
    t.equal((await call('GET', `/sale/offers?${query}`)).status, 400, query)
  }
  t.match(await list('limit=1&offset=1'), {
    offers: [{ id: '2', stock: { available: 1 }, description: undefined }],
    count: 1,
    totalCount: 3
  })
  t.equal((await call('GET', '/sale/offers?limit=1001')).status, 400)
  t.match((await call('GET', '/sale/product-offers/1')).json(), {
    id: '1',
    description: undefined,
    validation: { errors: { length: 0 } }
  })
  t.strictSame([
    (await call('GET', '/sale/product-offers/4')).status,
    (await call('GET', '/sale/product-offers/5')).status
  ], [403, 404])
})

t.test('a PATCH changes the members that it names, unless the offer has a problem', async t => {
  const { market, call } = await openMktA(t)
  market.addOffer({ id: '1', name: 'Mug', stock: { available: 8 } })
  const patch = (body: unknown) => call('PATCH', '/sale/product-offers/1', body)
  const described = (content: string) => patch({ description: { sections: [{ items: [{ type: 'TEXT', content }] }] } })
  const sections = async (of: object[]) => (await patch({ description: { sections: of } })).status

  const answer = await patch({ sellingMode: { price: { amount: '59.00', currency: 'PLN' } } })

  t.equal(answer.status, 200)
  t.match(answer.json(), {
    name: 'Mug',
    sellingMode: { format: 'BUY_NOW', price: { amount: '59.00' } },
    stock: { available: 8 }
  })
  t.equal((await patch({ stock: { available: -1 } })).status, 400)
  const allowed = '<h1>Mug &amp; more</h1><p>Nice <b>mug</b> &#38; <b>cup</b></p>\n<ul><li>blue</li></ul>'
  const refused = [
    'bare text',
    '<p>a<br></p>',
    '<p class="a">b</p>',
    '<h1><b>x</b></h1>',
    '<p>Tom & Jerry</p>',
    '<h3>x</h3>',
    '<p>x</p> text',
    '<p><i>x</i></p>',
    '<ul>x</ul>'
  ]
  t.equal((await described(allowed)).status, 200)
  for (const content of refused) t.equal((await described(content)).status, 422, content)
  t.strictSame([
    await sections([{ items: [] }]),
    await sections([{ items: [{ type: 'TEXT' }] }]),
    await sections([{ items: [{ type: 'IMAGE' }] }]),
    await sections([{ items: [{ type: 'IMAGE', url: 'https://img.example/1.jpg' }] }])
  ], [400, 422, 422, 200])
  market.setOfferProblems('1', [{ code: 'MISSING_PARAMETER', message: 'Brand is missing', path: 'parameters' }])
  t.strictSame(codes(await patch({ name: 'Cup green 300 ml' })), ['MISSING_PARAMETER'])
  t.equal(market.offer('1')?.name, 'Mug')
})

t.test('stock 0 and the last sale end an offer after a while, and only a new start brings it back', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1', stock: { available: 1 } })
  market.addOffer({ id: '2', stock: { available: 1 } })
  const patch = (body: unknown) => call('PATCH', '/sale/product-offers/1', body)
  const status = () => market.offer('1')?.publication.status

  await patch({ stock: { available: 0 } })
  market.sell('2')
  t.equal(status(), 'ACTIVE')
  clock.advance(1_000)
  t.match(market.offer('1')?.publication, { status: 'ENDED', endedBy: 'EMPTY_STOCK' })
  t.match(market.offer('2')?.publication, { status: 'ENDED' })
  t.equal((await patch({ publication: { status: 'ACTIVE' } })).status, 422)
  await patch({ stock: { available: 5 } })
  clock.advance(1_000)
  t.equal(status(), 'ENDED')
  t.match((await patch({ publication: { status: 'ACTIVE' } })).json(), { publication: { status: 'ACTIVATING' } })
  clock.advance(1_000)
  t.equal(status(), 'ACTIVE')
})

t.test('names, descriptions and references have the published bounds', async t => {
  const { market, call } = await openMktA(t)
  market.addOffer({ id: '1' })
  const statusOf = async (body: unknown) => (await call('PATCH', '/sale/product-offers/1', body)).status
  const described = (length: number) => ({
    description: { sections: [{ items: [{ type: 'TEXT', content: `<p>${'x'.repeat(length)}</p>` }] }] }
  })
  const named = (name: string) => statusOf({ name })

  t.strictSame([await named('a b cccccccc'), await named(`a b ${'c'.repeat(71)}`)], [200, 200])
  t.strictSame([await named('a b ccccccc'), await named(`a b ${'c'.repeat(72)}`), await named('Mug blue-300-ml')], [
    422,
    422,
    422
  ])
  t.strictSame([await statusOf(described(39_000)), await statusOf(described(40_001))], [200, 422])
  t.strictSame([
    await statusOf({ external: { id: 'x'.repeat(100) } }),
    await statusOf({ external: { id: 'x'.repeat(101) } })
  ], [200, 422])
})

t.test('a member without a value is absent, and null where a single offer has it; by a switch it is null', async t => {
  const { market, call } = await openMktA(t)
  market.addOffer({ id: '1' })
  const listed = async () =>
    ((await call('GET', '/sale/offers')).json() as { offers: Array<Record<string, object>> }).offers[0] ?? {}
  const single = async () => (await call('GET', '/sale/product-offers/1')).json() as Record<string, object>

  const row = await listed()
  t.notMatch(JSON.stringify(row), /null/)
  t.match(row, { isFulfillment: false })
  t.strictSame(Object.keys(row.publication ?? {}).toSorted(), ['marketplaces', 'startedAt', 'status'])
  const offer = await single()
  t.match(offer, {
    sellingMode: { minimalPrice: null, startingPrice: null },
    additionalServices: null,
    publication: { endingAt: null, endedBy: null, duration: null, republish: false, endedAt: undefined },
    external: undefined
  })
  market.switches.emptyMembers = 'null'
  t.match(await listed(), { external: null, additionalServices: null })
  t.match(await single(), { external: null, publication: { endedAt: null } })
})

t.test('an offer that republishes itself comes back after it expired or its seller ended it, too', async t => {
  const { clock, market, call } = await openMktA(t)
  for (const id of ['1', '2']) market.addOffer({ id, stock: { available: 8 }, publication: { republish: true } })
  market.addOffer({ id: '3', stock: { available: 8 } })
  for (const id of ['1', '3']) market.expire(id)
  await call('PATCH', '/sale/product-offers/2', { publication: { status: 'ENDED' } })
  const ends = ['1', '2', '3'].map(id => market.offer(id)?.publication.endedBy)
  t.strictSame(ends, ['EXPIRATION', 'USER', 'EXPIRATION'])
  for (let step = 0; step < 3; step++) {
    clock.advance(1_000)
    market.offer('1')
  }

  t.strictSame(['1', '2', '3'].map(id => market.offer(id)?.publication.status), ['ACTIVE', 'ACTIVE', 'ENDED'])
})

t.test('an offer that republishes itself comes back with its first stock', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1', stock: { available: 8 }, publication: { republish: true } })
  market.sell('1', 3)

  await call('PATCH', '/sale/product-offers/1', { stock: { available: 0 } })
  clock.advance(1_000)
  t.match(market.offer('1')?.publication, { status: 'ENDED', endedBy: 'EMPTY_STOCK' })
  clock.advance(1_000)
  market.offer('1')
  clock.advance(1_000)

  t.match(market.offer('1'), { stock: { available: 8 }, publication: { status: 'ACTIVE', endedBy: null } })
  await call('PATCH', '/sale/product-offers/1', { publication: { republish: false }, stock: { available: 0 } })
  for (let step = 0; step < 3; step++) {
    clock.advance(1_000)
    market.offer('1')
  }
  t.equal(market.offer('1')?.publication.status, 'ENDED')
})
