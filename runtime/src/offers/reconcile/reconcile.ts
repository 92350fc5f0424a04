import type { Connections } from '../../connections/connections.ts'
import { listActiveWith, type ActiveConnection } from '../../connections/store.ts'
import type { Database } from '../../database/database.ts'
import { CapabilityNotSupportedException, InvalidRequestError } from '../../errors.ts'
import { refusal } from '../../http/refusal.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { JobDefinition } from '../../jobs/define-job.ts'
import type { EnqueueJobs } from '../../jobs/enqueue.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { sweepStock } from '../../stock/jobs.ts'
import { acceptMissing } from '../../stock/sweeps/store.ts'
import { compareOffers } from '../jobs.ts'
import type { ReconcileBody } from './schemas.ts'

export interface ReconcileOptions {
  database: Database
  connections: Pick<Connections, 'getEnabled'>
  enqueueJobs: EnqueueJobs
}

const comparisons = [sweepStock, compareOffers]
const needsOf = (jobs: readonly Pick<JobDefinition, 'needs'>[]): string[] => jobs.flatMap(({ needs }) => needs)

/**
 * Starts a sweep of each master and a comparison of each marketplace, for one connection or for all
 * active ones. Returns the ids of the jobs.
 */
export async function startReconcile (
  { database, connections, enqueueJobs }: ReconcileOptions,
  body: ReconcileBody,
  request: RequestIds
): Promise<string[]> {
  if (body.connectionId === undefined && (body.acceptMissing === true || body.dryRun === true)) {
    throw refusal([{
      pointer: '/connectionId',
      code: 'required',
      message: `is required with \`${body.dryRun === true ? 'dryRun' : 'acceptMissing'}\``
    }], InvalidRequestError)
  }
  const wanted = needsOf(body.acceptMissing === true ? [sweepStock] : comparisons)
  const chosen = body.connectionId === undefined
    ? await listActiveWith(database.query, wanted)
    : [await getReconcilable(connections, body.connectionId, wanted)]
  const jobs = chosen.flatMap(connection => jobsOf(connection, request))
  await database.transaction(async transaction => {
    for (const job of jobs) {
      if (body.acceptMissing === true && job.connectionId !== null && job.jobType === sweepStock.type) {
        await acceptMissing(transaction.query, job.connectionId, jobIdOf(job.idempotencyKey))
      }
    }
    await enqueueJobs(jobs, transaction)
  })
  if (jobs.length > 0) database.notify('jobs')
  return jobs.map(({ idempotencyKey }) => jobIdOf(idempotencyKey))
}

export async function getReconcilable (
  connections: Pick<Connections, 'getEnabled'>,
  id: string,
  capabilities: readonly string[] = needsOf(comparisons)
): Promise<ActiveConnection> {
  const connection = await connections.getEnabled(id)
  if (!connection.capabilities.some(name => capabilities.includes(name))) {
    throw new CapabilityNotSupportedException(connection.adapterKey, capabilities.join(' or '))
  }
  return connection
}

function jobsOf ({ id, capabilities }: ActiveConnection, { operationId, requestId }: RequestIds): JobRequest[] {
  return comparisons
    .filter(({ needs }) => needs.some(name => capabilities.includes(name)))
    .map(job => job.request({}, { connectionId: id, key: `api:reconcile:${job.type}:${id}:${operationId}`, requestId }))
}
