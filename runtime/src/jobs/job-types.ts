import type { JobRequest, JobType } from './job.ts'

const ofObject = (member: string) => (request: Pick<JobRequest, 'connectionId' | 'payload'>): string =>
  `${request.connectionId ?? ''}:${String(request.payload[member] ?? '')}`

const coreTypes: ReadonlyMap<string, JobType> = new Map<string, JobType>([
  // The payload does not matter: a connection has one sweep, and a waiting job continues it.
  ['master.inventory.syncAll', { lane: 'state', objectKey: ({ connectionId }) => connectionId ?? '' }],
  ['inventory.propagateToMarketplaces', { lane: 'state', objectKey: ofObject('variantId') }],
  ['marketplace.offerQuantity.update', { lane: 'state', objectKey: ofObject('offerId') }],
  // Commands on one offer are done in the order in which they were given: it is created before its
  // price is changed.
  ['marketplace.offer.create', { lane: 'command', objectKey: ofObject('offerId') }],
  ['marketplace.offer.updateFields', { lane: 'command', objectKey: ofObject('offerId') }],
  ['marketplace.offer.end', { lane: 'command', objectKey: ofObject('offerId') }],
  ['marketplace.orders.poll', { lane: 'state', objectKey: ({ connectionId }) => connectionId ?? '' }],
  // The shop hears of one order in sequence: an order is created before it is cancelled.
  ['master.order.create', { lane: 'command', objectKey: ofObject('orderId') }],
  ['master.order.cancel', { lane: 'command', objectKey: ofObject('orderId') }],
  ['master.order.addTracking', { lane: 'command', objectKey: ofObject('orderId') }],
  // The carrier hears of one parcel in sequence: it is made before it is called back.
  ['fulfilment.shipment.create', { lane: 'command', objectKey: ofObject('orderId') }],
  ['fulfilment.shipment.cancel', { lane: 'command', objectKey: ofObject('orderId') }],
  ['marketplace.order.addTracking', { lane: 'command', objectKey: ofObject('orderId') }],
  ['marketplace.order.updateStatus', { lane: 'command', objectKey: ofObject('orderId') }]
])

const ofExternalObject: JobType = {
  lane: 'state',
  // A job that names no object is about its whole payload: jobs with different payloads must not
  // stand for each other.
  objectKey: ({ connectionId, payload }) =>
    payload.externalId === undefined
      ? `${connectionId ?? ''}:${JSON.stringify(payload)}`
      : ofObject('externalId')({ connectionId, payload })
}

/**
 * Lane and object of a job type. Types not listed bring one external object up to date: those of
 * `master.*` and of the adapters.
 */
export function jobTypeOf (name: string): JobType {
  return coreTypes.get(name) ?? ofExternalObject
}
