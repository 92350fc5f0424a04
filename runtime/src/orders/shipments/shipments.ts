import type { Shipment } from '@linker/sdk'
import type { Query, Transaction } from '../../database/database.ts'
import { toStorable } from '../../database/storable-json.ts'
import { ShipmentNotFoundError } from '../../errors.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { addTrackingAtShop, cancelShipment } from '../jobs.ts'
import { addProblem } from '../problems.ts'
import { trackingJob } from '../shop/destination.ts'
import { addHistory, lockOrder, removeProblems, writeTracking, type OrderRow } from '../store.ts'
import { markCancelled, markCreated, markFailed, readShipment, type ShipmentRow } from './store.ts'

export async function getShipment (query: Query, orderId: string): Promise<ShipmentRow> {
  const shipment = await readShipment(query, orderId)
  if (shipment === undefined) throw new ShipmentNotFoundError(orderId)
  return shipment
}

/**
 * Stores the carrier's shipment. Returns the jobs that tell the marketplace and the shop, or the
 * job that calls the parcel back when the order was cancelled meanwhile.
 */
export async function recordShipment (
  { query }: Pick<Transaction, 'query'>,
  orderId: string,
  made: Shipment,
  requestId?: string
): Promise<JobRequest[]> {
  const { externalId, tracking } = toStorable(made)
  const order = await lockOrder(query, orderId)
  const shipment = await readShipment(query, orderId)
  if (order === undefined || shipment === undefined) return []
  await takeBackProblem(query, orderId)
  await markCreated(query, orderId, { externalId, tracking })
  const change = await addHistory(query, orderId, 'shipment created', { externalId, tracking })
  if (order.status === 'cancelled') return [cancelShipmentJob(orderId, shipment.connectionId, externalId, requestId)]
  await writeTracking(query, orderId, tracking)
  return [trackingJob(order, change, requestId), ...shopTrackingJobs(order, change, requestId)]
}

function shopTrackingJobs (
  { id, destinationConnectionId }: OrderRow,
  change: string,
  requestId: string | undefined
): JobRequest[] {
  if (destinationConnectionId === null) return []
  return [addTrackingAtShop.request({ orderId: id }, {
    connectionId: destinationConnectionId,
    key: `shop-tracking:${id}:${change}`,
    requestId
  })]
}

/**
 * Returns the job that calls back the parcel of a cancelled order; no job when the order has no
 * parcel and none was requested.
 */
export async function shipmentCancelJobs (query: Query, orderId: string, requestId?: string): Promise<JobRequest[]> {
  const shipment = await readShipment(query, orderId)
  return shipment === undefined || shipment.status === 'cancelled'
    ? []
    : [cancelShipmentJob(orderId, shipment.connectionId, 'order', requestId)]
}

function cancelShipmentJob (
  orderId: string,
  connectionId: string,
  what: string,
  requestId: string | undefined
): JobRequest {
  return cancelShipment.request({ orderId }, { connectionId, key: `shipment-cancel:${orderId}:${what}`, requestId })
}

/** Stores that the parcel of an order is called back, or was never made. */
export async function recordCancelled (query: Query, orderId: string): Promise<void> {
  await takeBackProblem(query, orderId)
  await markCancelled(query, orderId)
  await addHistory(query, orderId, 'shipment cancelled')
}

/** Notes on the parcel and on the order why the carrier did not make the parcel. */
export async function recordFailed (query: Query, orderId: string, message: string): Promise<void> {
  const problem = toStorable(message)
  await takeBackProblem(query, orderId)
  await markFailed(query, orderId, problem)
  await addProblem(query, orderId, { code: 'parcel-not-made', detail: problem })
}

/** Removes the problem of the parcel from its order, because it does not hold any more. */
async function takeBackProblem (query: Query, orderId: string): Promise<void> {
  await removeProblems(query, orderId, ['routing', 'parcel-not-made'])
}
