import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, rest } from '../marketplace.ts'
import { upstreamOffer } from './upstream-offer.ts'

const { connect, logs } = createMarketplace(t)
const { rejected } = AdapterErrorCode

function open () {
  const { client, context } = connect()
  return createCapability(client, context)
}

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
  await t.rejects(open().listOffers({ limit: 1, cursor: 'x' }), { code: rejected, message: /cursor/ })
})

t.test('an offer that cannot be read is left out of a list, with a warning', async t => {
  rest().get('/sale/offers?limit=10&offset=0').reply(200, { offers: [{ id: '9' }, upstreamOffer()] })

  t.match(await open().listOffers({ limit: 10 }), { items: [{ externalId: '7680001234' }] })
  t.match(logs, [{ level: 'warn', fields: { externalId: '9' } }])
})
