import { AdapterErrorCode, carrierCapability, isAdapterError, RejectedError } from '@linker/sdk'
import type { DeathEffects, JobOutcome } from '../jobs/running-job.ts'
import { cancelShipment } from '../orders/jobs.ts'
import { addProblem } from '../orders/problems.ts'
import { readShipment } from '../orders/shipments/store.ts'
import { abandonShipment } from './abandon-shipment.ts'
import { callCapability } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'
import { orderIdIn } from './order-problem.ts'

/**
 * Calls the parcel of a cancelled order back. When the parcel is on its way already, the order says
 * so.
 */
export default implementJob(cancelShipment, async (job, services) => {
  const { orderId } = job.payload
  const shipment = await readShipment(services.database.query, orderId)
  if (shipment === undefined || shipment.status === 'cancelled') {
    return { result: { skipped: 'there is no shipment to cancel' } }
  }
  if (shipment.connectionId !== job.connectionId) {
    throw new RejectedError(`the parcel of order ${orderId} is for another carrier than that of the job`)
  }
  if (shipment.externalId === null) {
    return shipment.begunAt === null
      ? abandonShipment(orderId, 'the order was cancelled')
      : { result: { skipped: 'the carrier has not confirmed that it made a parcel' } }
  }
  const opened = await services.connections.openEnabled(shipment.connectionId)
  try {
    await callCapability(services, job, opened, carrierCapability, 'cancelShipment', shipment.externalId)
  } catch (error) {
    if (!isAdapterError(error) || error.code !== AdapterErrorCode.rejected) throw error
    return refused(orderId, error.message)
  }
  return { ...abandonShipment(orderId, 'the order was cancelled'), result: { externalId: shipment.externalId } }
}, noteFailure)

function refused (orderId: string, message: string): JobOutcome {
  return {
    result: { refused: message },
    async effects ({ query }) {
      const detail = `the carrier refuses to cancel the parcel: ${message}`
      await addProblem(query, orderId, { code: 'parcel-cancellation-refused', detail })
      return undefined
    }
  }
}

/** The order must say that its parcel may still come. */
async function noteFailure (...[{ query }, { payload }, { message }]: Parameters<DeathEffects>): Promise<void> {
  const orderId = orderIdIn(payload)
  if (orderId === undefined || await readShipment(query, orderId) === undefined) return
  const detail = `the parcel was not cancelled: ${message}`
  await addProblem(query, orderId, { code: 'parcel-not-cancelled', detail })
}
