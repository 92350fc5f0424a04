import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import { quantityJobs, quantityKey } from '../../src/offers/quantity-jobs.ts'
import type { OfferVersion } from '../../src/offers/store.ts'

const offers: OfferVersion[] = [
  { id: 'a', variantId: 'v', connectionId: 'market', version: 7, linkVersion: 2 },
  { id: 'b', variantId: 'v', connectionId: 'other', version: 7, linkVersion: 1 }
]
const query: Query = async <Row extends object>() => offers as object[] as Row[]

t.test('another stock and another link make another job, the same ones do not', async t => {
  const [offer = { id: '', variantId: '', connectionId: '', version: 0, linkVersion: 0 }] = offers
  const changes = [{}, { version: 8 }, { linkVersion: 3 }, { id: 'b' }, { connectionId: 'other' }]

  t.equal(new Set(changes.map(change => quantityKey({ ...offer, ...change }))).size, changes.length)
  t.equal(quantityKey(offer), quantityKey({ ...offer }))
  t.not(quantityKey({ ...offer, version: 1, linkVersion: 12 }), quantityKey({ ...offer, version: 11, linkVersion: 2 }))
})

t.test('each offer gets one job on its own connection', async t => {
  const jobs = await quantityJobs(query, { offerIds: ['a', 'b'] }, 'request')

  t.match(jobs, [
    {
      jobType: 'marketplace.offerQuantity.update',
      connectionId: 'market',
      payload: { offerId: 'a', stockVersion: 7 },
      requestId: 'request'
    },
    { connectionId: 'other', payload: { offerId: 'b', stockVersion: 7 } }
  ])
  t.strictSame(jobs.map(({ idempotencyKey }) => idempotencyKey), offers.map(quantityKey))
})
