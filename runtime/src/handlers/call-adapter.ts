import { collectMarked, collectSecrets, createAnswerRedactor, type CallTarget } from '@linker/sdk/host'
import type { Adapters } from '../adapters/adapters.ts'
import type { Connections } from '../connections/connections.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { refusePaused } from '../connections/pauses/refuse-paused.ts'
import type { Database } from '../database/database.ts'
import { CapabilityNotSupportedException } from '../errors.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import type { JobLog } from '../jobs/log.ts'
import type { JobOutcome } from '../jobs/running-job.ts'
import type { OfferReads } from '../offers/offer-reads.ts'
import type { HandledJob } from './kept-effects.ts'
import type { StockReads } from './stock-reads.ts'
import type { Answer, StockWrites } from './stock-writes.ts'

/** The tools of the core's handlers. */
export interface HandlerServices {
  database: Database
  connections: Pick<Connections, 'get' | 'open' | 'openEnabled' | 'learnAccountForOrders'>
  adapters: Pick<Adapters, 'call'>
  enqueueJobs: EnqueueJobs
  offerReads: OfferReads
  stockReads: StockReads
  stockWrites: StockWrites
  /** For figures. `ms`: the time since the webhook that led to the write, if one did. */
  onStockWritten(connectionId: string, ms: number | undefined): void
  log: JobLog
  now: () => Date
}

type CallServices = Pick<HandlerServices, 'adapters'>

/** A handler of the core, before it is bound to its services. */
export type CoreHandler = (job: HandledJob, services: HandlerServices) => Promise<JobOutcome>

/**
 * Calls a capability of the adapter that serves the job's connection. Refuses a capability that the
 * operator took from the connection, or that is paused: the job then waits for the end of the
 * pause. The job shows the adapter even when the call fails.
 */
export async function callCapability (...call: Parameters<typeof askCapability>): Promise<unknown> {
  return (await askCapability(...call)).value
}

/** Like `callCapability`, for an answer whose items may say that the platform refused them. */
export async function askCapability (
  services: CallServices,
  job: HandledJob,
  opened: OpenConnection,
  capability: string,
  method: string,
  ...args: unknown[]
): Promise<Answer> {
  const { capabilities, adapterKey } = opened.connection
  if (!capabilities.includes(capability)) throw new CapabilityNotSupportedException(adapterKey, capability)
  refusePaused(opened.connection, [capability])
  return call(services, job, opened, { kind: 'capability', capability, method }, args)
}

/**
 * Runs a job type of the adapter itself. Refuses when a capability that the job serves is paused; a
 * job type that names no capabilities counts as serving all. Removes the secrets of the connection
 * from the result before it is stored: the connection may have other secrets when the result is
 * shown.
 */
export async function callJob (services: CallServices, job: HandledJob, opened: OpenConnection): Promise<unknown> {
  const { connection: { capabilities }, adapter: { description } } = opened
  refusePaused(opened.connection, description.jobCapabilities?.[job.jobType] ?? capabilities)
  const { value: answer } = await call(services, job, opened, { kind: 'job', jobType: job.jobType }, [{
    id: job.id,
    type: job.jobType,
    payload: job.payload
  }])
  if (typeof answer !== 'object' || answer === null || !('result' in answer)) return answer
  const { snapshot } = opened
  const secrets = [
    ...collectSecrets(description.credentials, snapshot.credentials),
    ...collectMarked(description.config, snapshot.config)
  ]
  return { ...answer, result: createAnswerRedactor(secrets)(answer.result) }
}

async function call (
  services: CallServices,
  job: HandledJob,
  opened: OpenConnection,
  target: CallTarget,
  args: unknown[]
): Promise<Answer> {
  const { adapter, snapshot } = opened
  const used = { connectionId: snapshot.id, credentialsVersion: snapshot.credentialsVersion }
  job.servedBy(`${adapter.manifest.adapterKey}@${adapter.version}`)
  const value = await services.adapters.call(adapter, snapshot, target, args, {
    signal: job.signal,
    deadline: job.deadline,
    keep (effects, connectionId, calledAs) {
      job.keep(connectionId, effects, calledAs)
    },
    requestId: job.requestId,
    // Only the runs of one job share a signal.
    run: job.signal,
    jobId: job.id,
    onRequest: job.noteCall,
    onCredentials (version) {
      used.credentialsVersion = version
    }
  })
  return { value, used }
}
