import type { Connections } from '../connections/connections.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { InvalidRequestError } from '../errors.ts'
import { refusal } from '../http/refusal.ts'
import type { RequestIds } from '../http/request-ids.ts'
import { toStorableTime } from '../http/storable-time.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { sweepOrders } from './jobs.ts'

type ListingCapability = 'Marketplace' | 'OrderSource'

/** Returns the capability that lists a marketplace's orders; undefined when no capability does. */
export function listingCapability (opened: OpenConnection): ListingCapability | undefined {
  const { connection: { capabilities }, adapter: { description } } = opened
  return (['Marketplace', 'OrderSource'] as const).find(name =>
    capabilities.includes(name) && description.capabilities[name]?.includes('listOrders') === true
  )
}

/** Starts a sweep over the orders of a marketplace. Returns the id of its job. */
export async function startSweep (
  { connections, enqueueJobs }: { connections: Pick<Connections, 'openEnabled'>, enqueueJobs: EnqueueJobs },
  connectionId: string,
  updatedSince: string | undefined,
  { operationId, requestId }: RequestIds
): Promise<{ jobId: string }> {
  const opened = await connections.openEnabled(connectionId)
  if (listingCapability(opened) === undefined) {
    throw refusal([{
      pointer: '/id',
      code: 'unsupported',
      message: `adapter '${opened.connection.adapterKey}' cannot list the orders of this connection`
    }], InvalidRequestError)
  }
  const key = `api:orders-sweep:${connectionId}:${operationId}`
  const payload = updatedSince === undefined ? {} : { updatedSince: toStorableTime(updatedSince) }
  await enqueueJobs([sweepOrders.request(payload, { connectionId, key, requestId })])
  return { jobId: jobIdOf(key) }
}
