import { RejectedError } from '@linker/sdk'
import { readAgainJobs } from '../stock/read-again.ts'
import { recordStock } from '../stock/record-stock.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import type { CoreHandler, HandlerServices } from './call-adapter.ts'
import { ExternalObject, parsePayload } from './payload.ts'
import type { HandledJob } from './kept-effects.ts'

/**
 * `master.inventory.syncByExternalId`: reads the stock of one product from its master shop and
 * propagates what changed.
 */
export const syncMasterInventory: CoreHandler = async (job, services) => {
  const arrive = services.stockReads.expect(job.connectionId)
  try {
    return await readAndRecord(job, services, arrive)
  } finally {
    arrive()
  }
}

async function readAndRecord (job: HandledJob, services: HandlerServices, arrive: () => void): Promise<JobOutcome> {
  const { externalId } = parsePayload(ExternalObject, job.jobType, job.payload)
  if (job.connectionId === null) throw new RejectedError(`${job.jobType} needs a connection`)
  const connectionId = job.connectionId
  const opened = await services.connections.openEnabled(connectionId)
  const readAtMs = services.now().getTime()
  arrive()
  const levels = await services.stockReads.read(job, opened, externalId)
  return {
    result: { variants: levels.length },
    followUps: readAgainJobs({ ...job, connectionId }, opened.adapter.description.webhooks?.windowMs, readAtMs),
    effects: transaction => recordStock(transaction, { ...job, connectionId }, levels)
  }
}
