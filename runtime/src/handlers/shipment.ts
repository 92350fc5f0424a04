import { AdapterErrorCode, carrierCapability, isAdapterError, RejectedError, Shipment } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import {
  markBegun,
  markCancelled,
  markFailed,
  readShipment,
  recordShipment,
  toNewShipment
} from '../orders/shipments.ts'
import { readOrder } from '../orders/order-row.ts'
import type { DeathEffects, JobOutcome } from '../jobs/running-job.ts'
import { callCapability, type CoreHandler } from './call-adapter.ts'
import { orderIdIn } from './order-problem.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { Id, parsePayload } from './payload.ts'
import { addProblem } from '../orders/problems.ts'

const Payload = Type.Object({ orderId: Id })

/**
 * `fulfilment.shipment.create`: asks the carrier to make the parcel of an order. The carrier knows
 * the order's id, so a repeat finds the first parcel.
 */
export const createShipment: CoreHandler = async (job, services) => {
  const { orderId } = parsePayload(Payload, job.jobType, job.payload)
  const { query } = services.database
  const [order, shipment] = [await readOrder(query, orderId), await readShipment(query, orderId)]
  if (order === undefined || shipment === undefined) return { result: { skipped: 'the order is gone' } }
  if (shipment.connectionId !== job.connectionId) {
    throw new RejectedError(`the parcel of order ${orderId} is for another carrier than the job`)
  }
  if (shipment.status === 'created' || shipment.status === 'cancelled') {
    return { result: { skipped: `the shipment is ${shipment.status}` } }
  }
  // An attempt whose answer was lost may have made a parcel. Ask the carrier again: it names the
  // parcel, and the hub can call it back.
  if (order.status !== 'created' && shipment.begunAt === null) return abandon(orderId, `the order is ${order.status}`)
  const wanted = toNewShipment(order)
  if (wanted === undefined) throw new RejectedError('the order has no delivery address')
  const opened = await services.connections.openEnabled(shipment.connectionId)
  await markBegun(query, orderId)
  const created = parseAnswer(
    Shipment,
    `${carrierCapability}.createShipment`,
    await callCapability(services, job, opened, carrierCapability, 'createShipment', wanted, { reference: order.id })
  )
  return { result: created, effects: transaction => recordShipment(transaction, order.id, created, job.requestId) }
}

/**
 * `fulfilment.shipment.cancel`: calls the parcel of a cancelled order back. When the parcel is on
 * its way already, the order says so.
 */
export const cancelShipment: CoreHandler = async (job, services) => {
  const { orderId } = parsePayload(Payload, job.jobType, job.payload)
  const shipment = await readShipment(services.database.query, orderId)
  if (shipment === undefined || shipment.status === 'cancelled') {
    return { result: { skipped: 'there is no shipment any more' } }
  }
  if (shipment.connectionId !== job.connectionId) {
    throw new RejectedError(`the parcel of order ${orderId} is for another carrier than the job`)
  }
  if (shipment.externalId === null) {
    return shipment.begunAt === null
      ? abandon(orderId, 'the order was cancelled')
      : { result: { skipped: 'the carrier has not said that it made one' } }
  }
  const opened = await services.connections.openEnabled(shipment.connectionId)
  try {
    await callCapability(services, job, opened, carrierCapability, 'cancelShipment', shipment.externalId)
  } catch (error) {
    if (!isAdapterError(error) || error.code !== AdapterErrorCode.rejected) throw error
    return refused(orderId, error.message)
  }
  return { ...abandon(orderId, 'the order was cancelled'), result: { externalId: shipment.externalId } }
}

function abandon (orderId: string, skipped: string): JobOutcome {
  return {
    result: { skipped },
    async effects ({ query }) {
      await markCancelled(query, orderId)
      return undefined
    }
  }
}

function refused (orderId: string, message: string): JobOutcome {
  return {
    result: { refused: message },
    async effects ({ query }) {
      await addProblem(query, orderId, `the carrier does not cancel the parcel: ${message}`)
      return undefined
    }
  }
}

/**
 * Marks a parcel that cannot be made as failed, with the reason on its order. The job can be tried
 * again.
 */
export const failShipment: DeathEffects = async ({ query }, { payload }, { message }) => {
  const failed = await query<{ orderId: string }>(
    "select order_id as \"orderId\" from shipments where order_id = $1::uuid and status in ('requested', 'failed')",
    [orderIdIn(payload) ?? null]
  )
  for (const { orderId } of failed) await markFailed(query, orderId, `the carrier made no label: ${message}`)
}

/** The order must say that its parcel may still come. */
export const failShipmentCancel: DeathEffects = async ({ query }, { payload }, { message }) => {
  const known = await query<{ orderId: string }>(
    'select order_id as "orderId" from shipments where order_id = $1::uuid',
    [orderIdIn(payload) ?? null]
  )
  for (const { orderId } of known) await addProblem(query, orderId, `the parcel was not cancelled: ${message}`)
}
