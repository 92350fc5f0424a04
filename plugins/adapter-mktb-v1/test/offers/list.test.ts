import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createOfferManager } from '../../src/offers/offer-manager.ts'
import { createMarketplace, upstream } from '../marketplace.ts'

const { connect, logs } = createMarketplace(t)

function offerManager () {
  const { client, context } = connect()
  return createOfferManager(client, context)
}

const fields = [
  'externalId',
  'name',
  'sku',
  'ean',
  'price',
  'stock',
  'status',
  'archived',
  'frozen',
  'buyableProblems'
]

t.test('offers are listed by key, with the needed members, until a page is short', async t => {
  const pagination = { sortField: 'externalId', order: 'ASC', limit: 2 }
  upstream().post('/products/_search', { pagination, fields }).reply(200, [
    { externalId: 'a', status: 'active' },
    { externalId: 'b', archived: true }
  ])
  const first = await offerManager().listOffers({ limit: 2 })
  const after = { ...pagination, after: 'b' }
  upstream().post('/products/_search', { pagination: after, fields }).reply(200, [{ externalId: 'c' }])
  const second = await offerManager().listOffers({ limit: 2, cursor: 'b' })

  t.match(first, {
    items: [{ externalId: 'a', status: 'ACTIVE' }, { externalId: 'b', status: 'ENDED' }],
    nextCursor: 'b'
  })
  t.match(second.items, [{ externalId: 'c', status: 'INACTIVE' }])
  t.notOk('nextCursor' in second)
})

t.test('a page asks for at most 200 offers, and 200 are a full page', async t => {
  const rows = Array.from({ length: 200 }, (_, index) => ({ externalId: `v${index}` }))
  upstream().post('/products/_search', body => body.pagination.limit === 200).reply(200, rows)

  const { items, nextCursor } = await offerManager().listOffers({ limit: 1_000 })

  t.equal(items.length, 200)
  t.equal(nextCursor, 'v199')
})

t.test('an unreadable offer is left out with a warning, even as the last of a page', async t => {
  upstream().post('/products/_search').reply(200, [null, { externalId: 'a' }, { externalId: 'b', price: 'cheap' }])

  t.match(await offerManager().listOffers({ limit: 3 }), { items: [{ externalId: 'a' }], nextCursor: 'b' })
  t.match(logs, [
    { level: 'warn', fields: { externalId: undefined } },
    { level: 'warn', fields: { externalId: 'b', reason: /\/price/ }, message: /left out/ }
  ])
})

t.test('a walk over offers that would never end is an error', async t => {
  for (const rows of [[{ externalId: 'a' }], [{}], { items: [] }]) {
    upstream().post('/products/_search').reply(200, rows)
    await t.rejects(offerManager().listOffers({ limit: 1, cursor: 'a' }), { code: AdapterErrorCode.transient })
  }
})
