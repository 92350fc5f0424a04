import type { JobOutcome } from '../jobs/running-job.ts'
import { recordCancelled } from '../orders/shipments/shipments.ts'

/** Ends a shipment job without a parcel. */
export function abandonShipment (orderId: string, skipped: string): JobOutcome {
  return {
    result: { skipped },
    async effects ({ query }) {
      await recordCancelled(query, orderId)
      return undefined
    }
  }
}
