import type { JobOutcome } from '../jobs/running-job.ts'
import { markCancelled } from '../orders/shipments.ts'

/** Ends a shipment job without a parcel. */
export function abandonShipment (orderId: string, skipped: string): JobOutcome {
  return {
    result: { skipped },
    async effects ({ query }) {
      await markCancelled(query, orderId)
      return undefined
    }
  }
}
