import type { CallTarget } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { Connection } from '../../src/connections/entity.ts'
import type { OpenConnection } from '../../src/connections/open-connection.ts'
import type { Database } from '../../src/database/database.ts'
import { callCapability, type HandlerServices } from '../../src/handlers/call-adapter.ts'
import { jobHandlerOf, jobTypeOf } from '../../src/handlers/core-jobs.ts'
import type { HandledJob } from '../../src/handlers/kept-effects.ts'
import { createStockReads } from '../../src/handlers/stock-reads.ts'
import { createStockWrites } from '../../src/handlers/stock-writes.ts'
import { createEnqueue } from '../../src/jobs/enqueue.ts'
import type { JobOutcome, RunningJob } from '../../src/jobs/running-job.ts'
import { openedConnection } from '../connections/support.ts'
import type { Jobs } from '../jobs/support.ts'

/** The methods of an adapter by capability. The adapter's own job types are methods of `jobs`. */
export type Abilities = Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>

export interface FakeOptions {
  database?: Database
  visibleAfterMs?: number
  createdAt?: Date
  keepsLineIds?: boolean
}

/**
 * Makes the services of the core's handlers on a real database and queue. `abilitiesOf` gives the
 * methods of the adapter of a connection.
 */
export function createServices (
  { database: real, log }: Jobs,
  abilitiesOf: (connectionId: string) => Abilities,
  options: FakeOptions = {}
): HandlerServices {
  const { database = real, visibleAfterMs = 0, createdAt = new Date(0), keepsLineIds = false } = options

  async function open (which: string | Connection): Promise<OpenConnection> {
    const id = typeof which === 'string' ? which : which.id
    const abilities = abilitiesOf(id)
    const capabilities = Object.keys(abilities).filter(name => name !== 'jobs')
    return openedConnection({ id, capabilities, platformType: 'market', createdAt }, {
      offers: { visibleAfterMs },
      orders: { keepsLineIds },
      capabilities: Object.fromEntries(capabilities.map(name => [name, Object.keys(abilities[name] ?? {})]))
    })
  }

  const call: HandlerServices['adapters']['call'] = async (_adapter, snapshot, target, args) => {
    const method = methodOf(abilitiesOf(snapshot?.id ?? ''), target)
    if (method === undefined) throw new TypeError(`the fake adapter has no ${JSON.stringify(target)}`)
    return (method as (...args: readonly unknown[]) => unknown)(...args)
  }

  const connections: HandlerServices['connections'] = {
    open,
    openEnabled: open,
    get: async id => (await open(id)).connection
  }
  const adapters: HandlerServices['adapters'] = { call }
  const enqueueJobs = createEnqueue({ database, jobTypeOf })
  return {
    database,
    connections,
    adapters,
    enqueueJobs,
    log,
    now: () => new Date(),
    stockReads: createStockReads((job, opened, method, argument) =>
      callCapability({ connections, adapters }, job, opened, 'InventoryMaster', method, argument)
    ),
    stockWrites: createStockWrites((job, opened, capability, method, ...args) =>
      callCapability({ connections, adapters }, job, opened, capability, method, ...args)
    )
  }
}

function methodOf (abilities: Abilities, target: CallTarget): ((...args: never[]) => unknown) | undefined {
  if (target.kind === 'job') return abilities.jobs?.[target.jobType]
  return target.kind === 'capability' ? abilities[target.capability]?.[target.method] : undefined
}

export function runningJob (
  jobType: string,
  connectionId: string,
  payload: HandledJob['payload'] = {},
  id: string = randomUUID()
): HandledJob {
  return {
    id,
    jobType,
    connectionId,
    payload,
    claimedAt: new Date().toISOString(),
    signal: new AbortController().signal,
    deadline: Date.now() + 60_000,
    keep: () => undefined,
    servedBy: () => undefined
  }
}

/** Runs the handler of a job, as the engine does. */
export async function handle (services: HandlerServices, job: RunningJob): Promise<JobOutcome> {
  const handler = jobHandlerOf(job.jobType, services)
  if (handler === undefined) throw new Error(`nobody handles ${job.jobType}`)
  return handler(job)
}

/**
 * Runs a job to its end like the worker, which stores all consequences in one transaction. Returns
 * the outcome and the jobs that follow.
 */
export async function runJob (
  services: HandlerServices,
  job: RunningJob
): Promise<JobOutcome & { jobTypes: string[] }> {
  const outcome = await handle(services, job)
  const requests = await services.database.transaction(async transaction => {
    const following = [...outcome.followUps ?? [], ...await outcome.effects?.(transaction) ?? []]
    await services.enqueueJobs(following, transaction)
    return following
  })
  return { ...outcome, jobTypes: requests.map(({ jobType }) => jobType) }
}
