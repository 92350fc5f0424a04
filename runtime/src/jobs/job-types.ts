import type { JobRequest, JobType } from './job.ts'

const ofObject = (member: string) => (request: Pick<JobRequest, 'connectionId' | 'payload'>): string => `${request.connectionId ?? ''}:${String(request.payload[member] ?? '')}`

const coreTypes: ReadonlyMap<string, JobType> = new Map<string, JobType>([
  ['inventory.propagateToMarketplaces', { lane: 'state', objectKey: ofObject('variantId') }],
  ['marketplace.offerQuantity.update', { lane: 'state', objectKey: ofObject('offerId') }]
])

const ofExternalObject: JobType = { lane: 'state', objectKey: ofObject('externalId') }

/** Lane and object of a job type. Types not listed bring one external object up to date: those of `master.*` and of the adapters. */
export function jobTypeOf (name: string): JobType {
  return coreTypes.get(name) ?? ofExternalObject
}
