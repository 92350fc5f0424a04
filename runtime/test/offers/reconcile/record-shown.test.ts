import type { Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { SettledOffer } from '../../../src/offers/compare.ts'
import { recordShown, tellOf } from '../../../src/offers/reconcile/record-shown.ts'
import { openedConnection } from '../../connections/support.ts'
import { cheapestKind, openJobsFor, recordingLog } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../market.ts'

const written = { quantity: 5, stock_version: 1, sent_link_version: 1, last_synced_at: longAgo }
const shown = (externalId: string, more: Partial<Offer> = {}): Offer => ({
  externalId,
  status: 'ACTIVE',
  quantity: 5,
  frozenFields: [],
  problems: [],
  ...more
})

t.test('a reading of a marketplace', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('names each offer to write: differing, thawed, back to life, and linked by its reference', async t => {
    const { market, variantId, addOffer, offer } = await openMarket(jobs)
    const opened = openedConnection({ id: market, methods: { OfferManager: [] }, visibleAfterMs: 60_000 })
    const differing = await addOffer({ ...written, external_id: 'differing' })
    const same = await addOffer({ ...written, external_id: 'same' })
    const thawed = await addOffer({ ...written, external_id: 'thawed', frozen_fields: ['stock'] })
    const failed = await addOffer({ external_id: 'failed', status: 'FAILED' })
    const fresh = await addOffer({ ...written, external_id: 'fresh', last_synced_at: new Date() })
    const absent = await addOffer({ external_id: 'absent' })
    const recorded = await recordShown(query, opened, {
      offers: [
        shown('differing', { quantity: 4 }),
        shown('same'),
        shown('thawed'),
        shown('failed', { status: 'INACTIVE' }),
        shown('fresh', { quantity: 4 }),
        shown('linked', { reference: variantId }),
        shown('foreign', { reference: randomUUID() }),
        shown('un\0storable', { reference: variantId })
      ],
      absent: [{ id: absent, externalId: 'absent' }]
    })

    const { comparisons, statusChanged, offerIds, mapped } = recorded
    t.equal(mapped.linkedIds.length, 1)
    t.equal(mapped.unlinked, 1)
    t.strictSame(offerIds.toSorted(), [differing, thawed, failed, ...mapped.linkedIds].toSorted())
    t.strictSame(comparisons.map(({ offer: { id } }) => id).toSorted(), [differing, same, thawed].toSorted())
    t.equal(statusChanged, 2, 'one came to life and one ended')
    t.match([await offer(differing), await offer(thawed), await offer(fresh)], [
      { upstream_quantity: 4, link_version: 2 },
      { link_version: 2 },
      { upstream_quantity: null, link_version: 1 }
    ])
    t.strictSame((await offer(thawed))?.frozen_fields, [])
  })
})

t.test('the log tells the warnings that the hub cannot put right, and how many offers it linked', async t => {
  const offer: SettledOffer = {
    id: 'a',
    externalId: 'offer-1',
    sent: 5,
    frozenFields: [],
    quantity: 5,
    reserved: 0,
    buffer: 0,
    maxListed: null
  }
  const told = (isFrozen: boolean, linkedIds: string[]) => {
    const log = recordingLog()
    const comparisons = [{ offer, upstreamQuantity: 9, isFrozen }]
    tellOf(log, { comparisons, statusChanged: 0, offerIds: [], mapped: { linkedIds, unlinked: 3 } }, {
      connectionId: 'market',
      requestId: 'request'
    })
    return log.entries
  }

  t.strictSame(told(false, []), [])
  t.match(told(true, ['x', 'y']), [
    { level: 'info', fields: { linked: 2, connectionId: 'market', requestId: 'request' } },
    { level: 'warn', fields: { code: 'stock-frozen', offerId: 'a', externalId: 'offer-1', connectionId: 'market' } },
    { level: 'warn', fields: { code: 'oversell' } }
  ])
})
