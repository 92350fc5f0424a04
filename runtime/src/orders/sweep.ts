import type { Connections } from '../connections/connections.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { refusal } from '../http/refusal.ts'
import type { Query } from '../database/database.ts'
import { InvalidRequestError } from '../errors.ts'
import { toStorableTime } from '../http/storable-time.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { OrderRequest } from './actions.ts'
import { reservingSql } from './status.ts'
import { sweepOrders } from './jobs.ts'

type ListingCapability = 'Marketplace' | 'OrderSource'

/** Answers the capability that lists a marketplace's orders; undefined when no capability does. */
export function listingCapability (opened: OpenConnection): ListingCapability | undefined {
  const { connection: { capabilities }, adapter: { description } } = opened
  return (['Marketplace', 'OrderSource'] as const).find(name =>
    capabilities.includes(name) && description.capabilities[name]?.includes('listOrders') === true
  )
}

/** Starts a sweep over the orders of a marketplace. Answers the id of its job. */
export async function startSweep (
  { connections, enqueueJobs }: { connections: Connections, enqueueJobs: EnqueueJobs },
  connectionId: string,
  updatedSince: string | undefined,
  { operationId, requestId }: OrderRequest
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

/** Notes that the marketplace listed orders. */
export async function markListed (query: Query, connectionId: string, externalIds: readonly string[]): Promise<void> {
  await query(
    `
    update orders set listed_at = clock_timestamp()
    where connection_id = $1 and external_id = any($2)`,
    [connectionId, externalIds]
  )
}

/** Most orders that one sweep asks for. The next sweep begins with those asked for longest ago. */
const mostUnlisted = 500

const selectUnlisted = `
  select external_id as "externalId"
  from orders
  where connection_id = $1
    and ${reservingSql}
    and updated_at < $2
    and (listed_at is null or listed_at < $2)
  order by updated_at, id
  limit ${mostUnlisted}`

/**
 * Answers orders that reserve pieces and that the hub has not heard of since a sweep began, neither
 * in its list nor otherwise. They did not change, or the marketplace does not have them any more.
 */
export async function findUnlisted (query: Query, connectionId: string, since: string): Promise<string[]> {
  const orders = await query<{ externalId: string }>(selectUnlisted, [connectionId, since])
  return orders.map(({ externalId }) => externalId)
}
