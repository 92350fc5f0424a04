import type { JobOutcome } from '../jobs/running-job.ts'
import { syncStock } from '../stock/jobs.ts'
import { readAgainJobs } from '../stock/read-again.ts'
import { effectsOfStock, parseLevels } from '../stock/record-stock.ts'
import type { HandlerServices } from './call-adapter.ts'
import { implementJob, type CheckedJob } from './implement-job.ts'

/** Reads the stock of one product from its master shop and propagates what changed. */
export default implementJob(syncStock, async (job, services) => {
  const arrive = services.stockReads.expect(job.connectionId)
  try {
    return await readAndRecord(job, services, arrive)
  } finally {
    arrive()
  }
})

async function readAndRecord (
  job: CheckedJob<{ externalId: string }>,
  services: HandlerServices,
  arrive: () => void
): Promise<JobOutcome> {
  const opened = await services.connections.openEnabled(job.connectionId)
  const readAtMs = services.now().getTime()
  arrive()
  const levels = await services.stockReads.read(job, opened, job.payload.externalId)
  return {
    result: { variants: levels.length },
    followUps: readAgainJobs(job, opened.adapter.description.webhooks?.windowMs, readAtMs),
    shared: effectsOfStock({ reading: job, levels: parseLevels(levels) })
  }
}
