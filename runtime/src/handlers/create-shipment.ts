import { carrierCapability, RejectedError, Shipment } from '@linker/sdk'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { refusePaused } from '../connections/pauses/refuse-paused.ts'
import type { DeathEffects } from '../jobs/running-job.ts'
import { createShipment } from '../orders/jobs.ts'
import { toNewShipment } from '../orders/shipments/new-shipment.ts'
import { recordFailed, recordShipment } from '../orders/shipments/shipments.ts'
import { markBegun, readShipment } from '../orders/shipments/store.ts'
import { readOrder } from '../orders/store.ts'
import { abandonShipment } from './abandon-shipment.ts'
import { callCapability } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'
import { orderIdIn } from './order-problem.ts'

/**
 * Asks the carrier to make the parcel of an order. The carrier knows the order's id, so a repeat
 * finds the first parcel.
 */
export default implementJob(createShipment, async (job, services) => {
  const { orderId } = job.payload
  const { query } = services.database
  const [order, shipment] = [await readOrder(query, orderId), await readShipment(query, orderId)]
  if (order === undefined || shipment === undefined) return { result: { skipped: 'the order is gone' } }
  if (shipment.connectionId !== job.connectionId) {
    throw new RejectedError(`the parcel of order ${orderId} is for another carrier than that of the job`)
  }
  if (shipment.status === 'created' || shipment.status === 'cancelled') {
    return { result: { skipped: `the shipment is ${shipment.status}` } }
  }
  // An attempt whose answer was lost may have made a parcel. Ask the carrier again: it names the
  // parcel, and the hub can call it back.
  const isOver = order.status !== 'created' && shipment.begunAt === null
  if (isOver) return abandonShipment(orderId, `the order is ${order.status}`)
  const wanted = toNewShipment(order)
  if (wanted === undefined) throw new RejectedError('the order has no delivery address')
  const opened = await services.connections.openEnabled(shipment.connectionId)
  // Look for a pause before the making begins: after that, the parcel may exist.
  refusePaused(opened.connection, [carrierCapability])
  await markBegun(query, orderId)
  const created = parseAnswer(
    Shipment,
    `${carrierCapability}.createShipment`,
    await callCapability(services, job, opened, carrierCapability, 'createShipment', wanted, { reference: order.id })
  )
  return { result: created, effects: transaction => recordShipment(transaction, order.id, created, job.requestId) }
}, noteFailure)

/**
 * Marks a parcel that cannot be made as failed, with the reason on its order. The job can be tried
 * again.
 */
async function noteFailure (...[{ query }, { payload }, { message }]: Parameters<DeathEffects>): Promise<void> {
  const orderId = orderIdIn(payload)
  const shipment = orderId === undefined ? undefined : await readShipment(query, orderId)
  if (orderId === undefined || (shipment?.status !== 'requested' && shipment?.status !== 'failed')) return
  await recordFailed(query, orderId, `the carrier made no label: ${message}`)
}
