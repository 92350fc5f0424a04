import type { NewShipment, Shipment, Tracking } from '@linker/sdk'
import type { Query, Transaction } from '../database/database.ts'
import { ShipmentNotFoundError } from '../errors.ts'
import type { JobRequest } from '../jobs/job.ts'
import { toStorable } from '../database/storable-json.ts'
import { trackingJob } from './destination.ts'
import { addHistory, lockOrder, type OrderRow } from './order-row.ts'
import { addProblem, takeBackProblems } from './problems.ts'
import { addTrackingAtShop, cancelShipment } from './jobs.ts'

/** The parcel of an order, as its row stands. */
export interface ShipmentRow {
  orderId: string
  connectionId: string
  status: 'requested' | 'created' | 'failed' | 'cancelled'
  begunAt: Date | null
  externalId: string | null
  tracking: Tracking | null
  problem: string | null
  createdAt: Date
  updatedAt: Date
}

const selectShipment = `
  select
    order_id as "orderId", connection_id as "connectionId", status, begun_at as "begunAt",
    external_id as "externalId", tracking, problem, created_at as "createdAt", updated_at as "updatedAt"
  from shipments
  where order_id = $1`

export async function readShipment (query: Query, orderId: string): Promise<ShipmentRow | undefined> {
  const [row] = await query<ShipmentRow>(selectShipment, [orderId])
  return row
}

export async function getShipment (query: Query, orderId: string): Promise<ShipmentRow> {
  const shipment = await readShipment(query, orderId)
  if (shipment === undefined) throw new ShipmentNotFoundError(orderId)
  return shipment
}

/**
 * Answers the shipment for the carrier. Undefined: the order does not say where the parcel goes.
 */
export function toNewShipment ({ snapshot }: Pick<OrderRow, 'snapshot'>): NewShipment | undefined {
  const { shipping, invoiceAddress, buyer, lines, total } = snapshot
  // The address of a parcel for a pickup point only names the person: the invoice's will do.
  const recipient = shipping.address ?? (shipping.pickupPointId === undefined ? undefined : invoiceAddress)
  if (recipient === undefined) return undefined
  return {
    methodId: shipping.methodId,
    recipient,
    ...(buyer.email === undefined ? {} : { email: buyer.email }),
    ...(shipping.pickupPointId === undefined ? {} : { pickupPointId: shipping.pickupPointId }),
    ...(shipping.cashOnDelivery ? { cashOnDelivery: total } : {}),
    contents: lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')
  }
}

const storeCreated = `
  update shipments set
    status = 'created',
    external_id = $2,
    tracking = $3,
    problem = null,
    updated_at = now()
  where order_id = $1`

/**
 * Stores the carrier's shipment. Answers the jobs that tell the marketplace and the shop, or the
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
  await query(storeCreated, [orderId, externalId, JSON.stringify(tracking)])
  const change = await addHistory(query, orderId, 'shipment created', { externalId, tracking })
  if (order.status === 'cancelled') return [cancelShipmentJob(orderId, shipment.connectionId, externalId, requestId)]
  await query('update orders set tracking = $2, updated_at = now() where id = $1', [orderId, JSON.stringify(tracking)])
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
 * Answers the job that calls back the parcel of a cancelled order; no job when the order has no
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

/** Notes that the carrier is about to be asked: from now on it may have made the parcel. */
export async function markBegun (query: Query, orderId: string): Promise<void> {
  await query('update shipments set begun_at = coalesce(begun_at, now()) where order_id = $1', [orderId])
}

/** Makes the row of a parcel that the hub sees to; one that is there stays as it is. */
export async function requestShipment (
  query: Query,
  { orderId, connectionId, problem }: { orderId: string, connectionId: string, problem: string | undefined }
): Promise<void> {
  await query(
    `
    insert into shipments (order_id, connection_id, status, problem)
    values ($1, $2, 'requested', $3)
    on conflict do nothing`,
    [orderId, connectionId, problem ?? null]
  )
}

export async function markCancelled (query: Query, orderId: string): Promise<void> {
  await takeBackProblem(query, orderId)
  await query(
    "update shipments set status = 'cancelled', problem = null, updated_at = now() where order_id = $1",
    [orderId]
  )
  await addHistory(query, orderId, 'shipment cancelled')
}

/** Notes on the parcel and on the order why the carrier did not make the parcel. */
export async function markFailed (query: Query, orderId: string, message: string): Promise<void> {
  const problem = toStorable(message)
  await takeBackProblem(query, orderId)
  await query(
    "update shipments set status = 'failed', problem = $2, updated_at = now() where order_id = $1",
    [orderId, problem]
  )
  await addProblem(query, orderId, { code: 'parcel-not-made', detail: problem })
}

/** Removes the problem of the parcel from its order, because it does not hold any more. */
async function takeBackProblem (query: Query, orderId: string): Promise<void> {
  await takeBackProblems(query, orderId, ['routing', 'parcel-not-made'])
}
