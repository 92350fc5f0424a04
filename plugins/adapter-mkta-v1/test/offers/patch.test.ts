import { AdapterErrorCode, type OfferPatch } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, rest, restWrite } from '../marketplace.ts'

const { connect, logs } = createMarketplace(t)
const { notFound, rejected, transient } = AdapterErrorCode
const path = '/sale/product-offers/7680001234'
const operation = `${path}/operations/op-1`
const location = `https://api.sandbox.test${operation}`

function open () {
  const { client, context } = connect()
  return createCapability(client, context)
}

function upstreamOffer (members: object = {}) {
  return {
    id: '7680001234',
    name: 'Mug blue',
    category: { id: '257931' },
    sellingMode: {
      format: 'BUY_NOW',
      price: { amount: '100.00', currency: 'PLN' },
      minimalPrice: null,
      startingPrice: null
    },
    stock: { available: 8, sold: 2 },
    publication: {
      status: 'ACTIVE',
      startingAt: null,
      endedAt: null,
      marketplaces: { base: { id: 'mkta-pl' }, additional: [] }
    },
    external: { id: 'SKU-27-R' },
    ...members
  }
}

t.test("an offer is read in the hub's words", async t => {
  const error = {
    code: 'Missing',
    message: 'brand may not be blank',
    path: 'parameters',
    userMessage: 'Brand is required'
  }
  rest().get(path).reply(200, upstreamOffer({ validation: { errors: [error], warnings: [] } }))

  t.strictSame(await open().getOffer('7680001234'), {
    externalId: '7680001234',
    reference: 'SKU-27-R',
    status: 'ACTIVE',
    upstreamStatus: 'ACTIVE',
    title: 'Mug blue',
    price: { amount: '100.00', currency: 'PLN' },
    quantity: 8,
    frozenFields: [],
    problems: ['Brand is required']
  })
})

t.test('an offer that sold out is only inactive; any other end is final', async t => {
  const cases = [
    [{ status: 'ACTIVATING' }, 8, 'ACTIVE'],
    [{ status: 'INACTIVE' }, 8, 'INACTIVE'],
    [{ status: 'ENDED', endedBy: 'USER' }, 0, 'ENDED'],
    [{ status: 'ENDED', endedBy: 'EMPTY_STOCK' }, 0, 'INACTIVE'],
    [{ status: 'ENDED' }, 0, 'INACTIVE'],
    [{ status: 'ENDED' }, 8, 'ENDED'],
    [{ status: 'SOMETHING_NEW' }, 8, 'INACTIVE']
  ] as const
  for (const [publication, available, status] of cases) {
    rest().get(path).reply(200, upstreamOffer({ publication, stock: { available } }))
    t.match(await open().getOffer('7680001234'), { status, upstreamStatus: publication.status, quantity: available })
  }
})

t.test('an offer may lack price, stock and name, but an offer in another form is an error', async t => {
  rest().get(path).reply(200, {
    id: '7680001234',
    name: null,
    sellingMode: null,
    stock: null,
    external: null,
    publication: { status: 'INACTIVE' }
  })
  t.strictSame(await open().getOffer('7680001234'), {
    externalId: '7680001234',
    status: 'INACTIVE',
    upstreamStatus: 'INACTIVE',
    frozenFields: [],
    problems: []
  })

  const invalid = [
    {},
    [],
    { id: '7680001234' },
    upstreamOffer({ stock: { available: '8' } }),
    upstreamOffer({ sellingMode: { price: { amount: 100, currency: 'PLN' } } })
  ]
  for (const body of invalid) {
    rest().get(path).reply(200, body)
    await t.rejects(open().getOffer('7680001234'), { code: transient, message: /unknown form/ })
  }
  rest().get(path).reply(404)
  await t.rejects(open().getOffer('7680001234'), { code: notFound })
})

t.test('offers are listed by position until the end', async t => {
  rest().get('/sale/offers?limit=2&offset=0').reply(200, {
    offers: [upstreamOffer({ id: '1' }), upstreamOffer({ id: '2' })],
    count: 2,
    totalCount: 3
  })
    .get('/sale/offers?limit=2&offset=2').reply(200, { offers: [upstreamOffer({ id: '3' })], count: 1, totalCount: 3 })

  const first = await open().listOffers({ limit: 2 })
  const second = await open().listOffers({ limit: 2, cursor: first.nextCursor ?? '' })

  t.same([...first.items, ...second.items].map(({ externalId }) => externalId), ['1', '2', '3'])
  t.equal(second.nextCursor, undefined)
})

t.test("a page never exceeds the marketplace's limit, and a full page may be the last", async t => {
  rest().get('/sale/offers?limit=1000&offset=0').reply(200, { offers: [upstreamOffer()], totalCount: 1 })
    .get('/sale/offers?limit=1&offset=0').reply(200, { offers: [upstreamOffer()], totalCount: 1 })

  await open().listOffers({ limit: 5_000 })
  t.equal((await open().listOffers({ limit: 1 })).nextCursor, undefined)
  t.same(await open().listOffers({ limit: 1, cursor: '10000000' }), { items: [] })
  await t.rejects(open().listOffers({ limit: 1, cursor: 'x' }), { code: rejected, message: /position/ })
})

t.test('an offer that cannot be read is left out of a list, with a warning', async t => {
  rest().get('/sale/offers?limit=10&offset=0').reply(200, { offers: [{ id: '9' }, upstreamOffer()] })

  t.match(await open().listOffers({ limit: 10 }), { items: [{ externalId: '7680001234' }] })
  t.match(logs, [{ level: 'warn', fields: { externalId: '9' } }])
})

t.test('a patch sends only its own members, with the description in the allowed elements', async t => {
  restWrite().patch(path, {
    name: 'Mug blue 300 ml',
    sellingMode: { price: { amount: '59.00', currency: 'PLN' } },
    description: { sections: [{ items: [{ type: 'TEXT', content: '<p>Nice <b>mug</b></p>' }] }] }
  }).reply(200, upstreamOffer()).patch(path, { name: 'Mug' }).reply(200, upstreamOffer())

  const patch: OfferPatch = {
    title: 'Mug blue 300 ml',
    price: { amount: '59.0000', currency: 'PLN' },
    description: {
      sections: [{ items: [{ type: 'TEXT', content: '<div style="x">Nice <strong>mug</strong></div>' }] }]
    }
  }
  t.same(await open().updateOffer('7680001234', patch), { applied: ['title', 'price', 'description'], frozen: [] })
  t.same(await open().updateOffer('7680001234', { title: 'Mug' }), { applied: ['title'], frozen: [] })
})

t.test('checkPatch and updateOffer refuse the same patches in the same words', async t => {
  const faults: [OfferPatch, string][] = [
    [{ title: 'x'.repeat(76) }, '/title'],
    [{ title: ' ' }, '/title'],
    [{ price: { amount: '19.995', currency: 'PLN' } }, '/price/amount'],
    [{ price: { amount: '0.00', currency: 'PLN' } }, '/price/amount'],
    [{ price: { amount: '-1', currency: 'PLN' } }, '/price/amount'],
    [{ description: { sections: [{ items: [{ type: 'TEXT', content: '<img src="a.jpg">' }] }] } }, '/description']
  ]

  for (const [patch, pointer] of faults) {
    const [problem] = await open().checkPatch(patch)
    t.match(problem, { pointer, message: String })
    await t.rejects(open().updateOffer('7680001234', patch), {
      code: rejected,
      message: problem?.message,
      fields: [{ pointer }]
    })
  }
  t.same(await open().checkPatch({ title: 'x'.repeat(75), price: { amount: '0.01', currency: 'CZK' } }), [])
})

t.test('the adapter waits for a change that the marketplace finishes later', async t => {
  const underWay = { offer: { id: '7680001234' }, operation: { id: 'op-1', status: 'IN_PROGRESS' } }
  const completed = { offer: { id: '7680001234' }, operation: { id: 'op-1', status: 'COMPLETED' } }
  for (const [status, body] of [[303, ''], [200, completed]] as const) {
    restWrite().patch(path).reply(202, upstreamOffer(), { location, 'retry-after': '0' })
    rest().get(operation).reply(202, underWay, { 'retry-after': '0' })
      .get(operation).reply(status, body, { location: `https://api.sandbox.test${path}` })
      .get(path).reply(200, upstreamOffer())

    t.same(await open().updateOffer('7680001234', { title: 'Mug' }), { applied: ['title'], frozen: [] })
  }
})

t.test('a change is refused with the fields when the offer has faults afterwards', async t => {
  restWrite().patch(path).reply(202, '', { location, 'retry-after': '0' })
  const validation = { errors: [{ code: 'Size', message: 'too long', path: 'name' }] }
  rest().get(operation).reply(303).get(path).reply(200, upstreamOffer({ validation }))

  await t.rejects(open().updateOffer('7680001234', { title: 'Mug' }), {
    code: rejected,
    message: /Size: too long/,
    fields: [{ pointer: '/title', code: 'Size' }]
  })
})

t.test('faults in the answer to an immediate change refuse it as well', async t => {
  const validation = { errors: [{ code: 'PriceTooHigh', message: 'no', path: 'sellingMode.price.amount' }] }
  restWrite().patch(path).reply(200, upstreamOffer({ validation }))
  await t.rejects(open().updateOffer('7680001234', { price: { amount: '59.00', currency: 'PLN' } }), {
    code: rejected,
    message: /PriceTooHigh: no/,
    fields: [{ pointer: '/price/amount' }]
  })

  for (const body of ['', '{}', upstreamOffer({ validation: { errors: [], warnings: [{ code: 'Short' }] } })]) {
    restWrite().patch(path).reply(200, body)
    await t.resolves(open().updateOffer('7680001234', { title: 'Mug' }))
  }
})

t.test('an offer that only has to end may have other faults', async t => {
  const shown = (status: string) =>
    upstreamOffer({
      publication: { status },
      validation: { errors: [{ code: 'ParameterMissing', message: 'Brand is required', path: 'parameters' }] }
    })
  const later = (status: string) => {
    restWrite().patch(path).reply(202, '', { location, 'retry-after': '0' })
    rest().get(operation).reply(303).get(path).reply(200, shown(status))
  }
  const atOnce = (status: string) => restWrite().patch(path).reply(200, shown(status))

  for (const answer of [later, atOnce]) {
    answer('ENDED')
    await t.resolves(open().endOffer('7680001234'))
    answer('ACTIVE')
    await t.rejects(open().endOffer('7680001234'), { code: rejected, message: /Brand is required|ParameterMissing/ })
  }
})

t.test('a change that outlasts the deadline of the call is a transient error', async t => {
  restWrite().patch(path).reply(202, '', { location, 'retry-after': '30' })
  const { client, context } = connect()
  const late = Object.create(context, { deadline: { value: new Date('2025-01-02T12:00:20Z') } }) as typeof context

  await t.rejects(createCapability(client, late).updateOffer('7680001234', { title: 'Mug' }), {
    code: transient,
    message: /in time/
  })
})

t.test('the address of an operation never leads to another host', async t => {
  restWrite().patch(path).reply(202, '', { location: `https://evil.test${operation}`, 'retry-after': '0' })
  rest().get(operation).reply(303).get(path).reply(200, upstreamOffer())

  await t.resolves(open().updateOffer('7680001234', { title: 'Mug' }))
})

t.test('another change under way is a transient error; faults of the offer are a refusal with fields', async t => {
  restWrite().patch(path).reply(409, { errors: [{ code: 'Conflict', message: 'in progress' }] })
  await t.rejects(open().updateOffer('7680001234', { title: 'Mug' }), { code: transient, status: 409 })

  restWrite().patch(path).reply(422, {
    errors: [
      { code: 'Missing', message: 'brand', path: 'parameters[0].values' },
      { code: 'Low', message: 'too low', path: 'sellingMode.price.amount' }
    ]
  })
  await t.rejects(open().updateOffer('7680001234', { price: { amount: '1', currency: 'PLN' } }), {
    code: rejected,
    fields: [{ pointer: '/parameters/0/values' }, { pointer: '/price/amount' }]
  })
})

t.test("a 403 for another seller's offer affects only that offer", async t => {
  const refusal = { errors: [{ code: 'AccessDenied', message: 'Access is denied' }] }
  restWrite().patch(path).reply(403, refusal)
  rest().get(path).reply(403, refusal).get('/sale/offers?offer.id=7680001234&limit=1').twice().reply(200, {
    offers: []
  })
  await t.rejects(open().getOffer('7680001234'), { code: rejected, message: /another seller/ })
  await t.rejects(open().updateOffer('7680001234', { title: 'Mug' }), { code: rejected, message: /another seller/ })

  restWrite().patch(path).reply(403, refusal)
  rest().get('/sale/offers?offer.id=7680001234&limit=1').reply(200, { offers: [upstreamOffer()] })
  await t.rejects(open().updateOffer('7680001234', { title: 'Mug' }), {
    code: AdapterErrorCode.authentication,
    message: /does not permit/
  })
})

t.test('an offer ends by its publication status', async t => {
  restWrite().patch(path, { publication: { status: 'ENDED' } }).reply(200, upstreamOffer())
  await t.resolves(open().endOffer('7680001234'))

  restWrite().patch(path).reply(404)
  await t.rejects(open().endOffer('7680001234'), { code: notFound })
})
