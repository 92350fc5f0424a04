import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, rest } from '../marketplace.ts'
import { upstreamOffer } from './upstream-offer.ts'

const { connect } = createMarketplace(t)
const { notFound, transient } = AdapterErrorCode
const path = '/sale/product-offers/7680001234'

function open () {
  const { client, context } = connect()
  return createCapability(client, context)
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

t.test('an offer that sold out is only inactive; any other end is final unless it comes back', async t => {
  const cases = [
    [{ status: 'ACTIVATING' }, 8, 'ACTIVE'],
    [{ status: 'INACTIVE' }, 8, 'INACTIVE'],
    [{ status: 'ENDED', endedBy: 'USER' }, 0, 'ENDED'],
    [{ status: 'ENDED', endedBy: 'EMPTY_STOCK' }, 0, 'INACTIVE'],
    [{ status: 'ENDED' }, 0, 'INACTIVE'],
    [{ status: 'ENDED' }, 8, 'ENDED'],
    [{ status: 'ENDED', endedBy: 'EXPIRATION', republish: true }, 8, 'INACTIVE'],
    [{ status: 'ENDED', endedBy: 'USER', republish: true }, 8, 'INACTIVE'],
    [{ status: 'ENDED', endedBy: 'EXPIRATION', republish: false }, 8, 'ENDED'],
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
    reference: undefined,
    status: 'INACTIVE',
    upstreamStatus: 'INACTIVE',
    title: undefined,
    price: undefined,
    quantity: undefined,
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

t.test('an offer that comes back by itself is reported, also by a list that does not say so', async t => {
  const { client, context } = connect()
  const market = createCapability(client, context)
  const single = (republish: boolean) =>
    rest().get(path).reply(200, upstreamOffer({ publication: { status: 'ACTIVE', endedBy: null, republish } }))
  const listed = async () => {
    rest().get('/sale/offers?limit=10&offset=0').reply(200, { offers: [upstreamOffer()], totalCount: 1 })
    return (await market.listOffers({ limit: 10 })).items[0]?.problems
  }
  const problems = [/puts the offer up again by itself after its end, with its first stock/]

  t.same(await listed(), [])
  single(true)
  t.match(await market.getOffer('7680001234'), { problems })
  t.match(await listed(), problems)
  single(false)
  t.match(await market.getOffer('7680001234'), { problems: { length: 0 } })
  t.same(await listed(), [])
})

t.test('an end that neither the seller nor a sale caused is a problem', async t => {
  const ended = (endedBy: string) =>
    rest().get(path).reply(200, upstreamOffer({ publication: { status: 'ENDED', endedBy } }))

  for (const endedBy of ['ADMIN', 'PRODUCT_DETACHMENT', 'ERROR']) {
    ended(endedBy)
    t.match(await open().getOffer('7680001234'), { problems: [`the marketplace ended the offer: ${endedBy}`] })
  }
  for (const endedBy of ['USER', 'EXPIRATION', 'EMPTY_STOCK']) {
    ended(endedBy)
    t.match(await open().getOffer('7680001234'), { problems: { length: 0 } })
  }
})
