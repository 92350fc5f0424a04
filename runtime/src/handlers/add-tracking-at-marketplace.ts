import { addTrackingAtMarketplace } from '../orders/jobs.ts'
import { implementJob } from './implement-job.ts'
import { problemOnDeath, undone } from './order-problem.ts'
import { tellMarketplace } from './tell-marketplace.ts'

/** Tells the marketplace the parcel of the order, as the hub knows it when the job runs. */
export default implementJob(
  addTrackingAtMarketplace,
  async (job, services) => tellMarketplace(job, services, 'addTracking', ({ tracking }) => tracking),
  problemOnDeath(() => undone.trackingAtMarketplace)
)
