import type { Connections } from '../connections/connections.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { refusal } from '../connections/validate.ts'
import { InvalidRequestError } from '../errors.ts'
import { toStorableTime } from '../http/storable-time.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { OrderRequest } from './actions.ts'

/** The capability by which the orders of a marketplace are listed. Undefined: its adapter cannot. */
export function listingCapability ({ connection: { capabilities }, adapter: { description } }: OpenConnection): 'Marketplace' | 'OrderSource' | undefined {
  return (['Marketplace', 'OrderSource'] as const).find(name => capabilities.includes(name) && description.capabilities[name]?.includes('listOrders') === true)
}

/** Starts a sweep over the orders of a marketplace. Answers the id of its job. */
export async function startSweep ({ connections, enqueueJobs }: { connections: Connections, enqueueJobs: EnqueueJobs }, connectionId: string, updatedSince: string | undefined, { operationId, requestId }: OrderRequest): Promise<{ jobId: string }> {
  const opened = await connections.openEnabled(connectionId)
  if (listingCapability(opened) === undefined) {
    throw refusal([{ pointer: '/id', code: 'unsupported', message: `adapter '${opened.connection.adapterKey}' cannot list the orders of this connection` }], InvalidRequestError)
  }
  const idempotencyKey = `api:orders-sweep:${connectionId}:${operationId}`
  await enqueueJobs([{ jobType: 'marketplace.orders.sweep', connectionId, payload: updatedSince === undefined ? {} : { updatedSince: toStorableTime(updatedSince) }, idempotencyKey, requestId }])
  return { jobId: jobIdOf(idempotencyKey) }
}
