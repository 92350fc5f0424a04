import { HubJobType } from '@linker/sdk'
import { reservedPlatformTypes } from '@linker/sdk/host/text'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { coreJobTypes, jobTypeOf, objectKeysOf } from '../../src/handlers/core-jobs.ts'
import { exclusionKeyOf } from '../../src/jobs/identity.ts'

t.test('the hub has every job that the SDK names to adapters', t => {
  for (const [name, type] of Object.entries(HubJobType)) t.ok(coreJobTypes.includes(type), name)
  t.end()
})

t.test('the jobs of an offer and of an order are found by the keys that they are stored with', t => {
  const [one, two, id] = [randomUUID(), randomUUID(), randomUUID()]
  const keyOf = (jobType: string, connectionId: string, payload: Record<string, unknown>): string =>
    exclusionKeyOf(jobTypeOf(jobType), { jobType, connectionId, payload, idempotencyKey: 'k' })
  const ofOffer = objectKeysOf('offerId', id.toUpperCase(), [one, two])
  const ofOrder = objectKeysOf('orderId', id, [two])

  for (const connectionId of [one, two]) {
    for (
      const jobType of [
        'marketplace.offer.create',
        'marketplace.offer.updateFields',
        'marketplace.offerQuantity.update',
        'marketplace.offers.sync'
      ]
    ) t.ok(ofOffer.includes(keyOf(jobType, connectionId, { offerId: id })), jobType)
  }
  t.ok(ofOffer.includes(keyOf('marketplace.offerQuantity.update', one, { offerId: id, stockVersion: 7 })))
  t.notOk(ofOffer.includes(keyOf('marketplace.offers.sync', one, {})))
  t.ok(ofOrder.includes(keyOf('master.order.create', two, { orderId: id })))
  t.ok(ofOrder.includes(keyOf('marketplace.order.updateStatus', two, { orderId: id, status: 'shipped' })))
  t.equal(new Set(ofOffer).size, ofOffer.length)
  t.strictSame(objectKeysOf('orderId', id, []), [])
  t.end()
})

t.test('no platform may have a name that a job type of the core begins with', async t => {
  const names = new Set(coreJobTypes.map(type => type.slice(0, type.indexOf('.'))))

  t.strictSame([...names].toSorted(), reservedPlatformTypes)
})
