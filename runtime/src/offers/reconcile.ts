import type { Connections } from '../connections/connections.ts'
import { refusal } from '../http/refusal.ts'
import type { Database } from '../database/database.ts'
import { CapabilityNotSupportedException, InvalidRequestError } from '../errors.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { JobRequest } from '../jobs/job.ts'
import { acceptMissing } from './sweeps.ts'
import type { ReconcileBody } from './schemas.ts'

export interface ReconcileOptions {
  database: Database
  connections: Connections
  enqueueJobs: EnqueueJobs
}

/** The ids of an HTTP request. Its repetitions have the same `operationId`. */
export interface ReconcileRequest {
  operationId: string
  requestId: string
}

interface Reconcilable {
  id: string
  adapterKey: string
  capabilities: readonly string[]
}

const sweepType = 'master.inventory.syncAll'
const mastersOnly = ['InventoryMaster']
const marketplaces = ['OfferManager', 'Marketplace']

const selectActive = `
  select id, adapter_key as "adapterKey", capabilities
  from connections
  where status = 'active' and capabilities ?| $1
  order by id`

/**
 * Starts a sweep of each master and a comparison of each marketplace, for one connection or for all
 * active ones. Answers the ids of the jobs.
 */
export async function startReconcile (
  { database, connections, enqueueJobs }: ReconcileOptions,
  body: ReconcileBody,
  request: ReconcileRequest
): Promise<string[]> {
  if (body.connectionId === undefined && (body.acceptMissing === true || body.dryRun === true)) {
    throw refusal([{
      pointer: '/connectionId',
      code: 'required',
      message: `is required with \`${body.dryRun === true ? 'dryRun' : 'acceptMissing'}\``
    }], InvalidRequestError)
  }
  const wanted = body.acceptMissing === true ? mastersOnly : [...mastersOnly, ...marketplaces]
  const chosen = body.connectionId === undefined
    ? await database.query<Reconcilable>(selectActive, [wanted])
    : [await getReconcilable(connections, body.connectionId, wanted)]
  const jobs = chosen.flatMap(connection => jobsOf(connection, request))
  await database.transaction(async transaction => {
    for (const job of jobs) {
      if (body.acceptMissing === true && job.connectionId !== null && job.jobType === sweepType) {
        await acceptMissing(transaction.query, job.connectionId, jobIdOf(job.idempotencyKey))
      }
    }
    await enqueueJobs(jobs, transaction)
  })
  if (jobs.length > 0) database.notify('jobs')
  return jobs.map(({ idempotencyKey }) => jobIdOf(idempotencyKey))
}

export async function getReconcilable (
  connections: Connections,
  id: string,
  capabilities: readonly string[] = [...mastersOnly, ...marketplaces]
): Promise<Reconcilable> {
  const connection = await connections.getEnabled(id)
  if (!connection.capabilities.some(name => capabilities.includes(name))) {
    throw new CapabilityNotSupportedException(connection.adapterKey, capabilities.join(' or '))
  }
  return connection
}

function jobsOf ({ id, capabilities }: Reconcilable, { operationId, requestId }: ReconcileRequest): JobRequest[] {
  const has = (names: readonly string[]): boolean => names.some(name => capabilities.includes(name))
  const jobTypes = [...has(mastersOnly) ? [sweepType] : [], ...has(marketplaces) ? ['marketplace.offers.sync'] : []]
  return jobTypes.map(jobType => ({
    jobType,
    connectionId: id,
    payload: {},
    idempotencyKey: `api:reconcile:${jobType}:${id}:${operationId}`,
    requestId
  }))
}
