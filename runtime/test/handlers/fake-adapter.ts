import type { CallTarget } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { Adapters } from '../../src/adapters/adapters.ts'
import type { Connections } from '../../src/connections/connections.ts'
import type { Connection } from '../../src/connections/entity.ts'
import type { OpenConnection } from '../../src/connections/open-connection.ts'
import type { Database } from '../../src/database/database.ts'
import { askCapability, callCapability, type HandlerServices } from '../../src/handlers/call-adapter.ts'
import { jobHandlerOf, jobTypeOf } from '../../src/handlers/core-jobs.ts'
import type { HandledJob } from '../../src/handlers/kept-effects.ts'
import { createStockReads } from '../../src/handlers/stock-reads.ts'
import { createStockWrites } from '../../src/handlers/stock-writes.ts'
import { createEnqueue } from '../../src/jobs/enqueue.ts'
import type { JobOutcome, RunningJob } from '../../src/jobs/running-job.ts'
import { storeOutcomes } from '../../src/jobs/store-outcomes.ts'
import { createOfferReads } from '../../src/offers/offer-reads.ts'
import { fakeAdapter, fakeConnection, fakeOpened } from '../connections/support.ts'
import type { Jobs } from '../jobs/support.ts'

/** What an adapter can, by capability and method; a job type of its own is a method of `jobs`. */
export type Abilities = Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>

export interface FakeOptions {
  database?: Database
  visibleAfterMs?: number
  createdAt?: Date
  keepsLineIds?: boolean
  windowMs?: number
}

/** The services of the handlers, and of the routes that enqueue their jobs. */
export interface FakeServices extends HandlerServices {
  connections: HandlerServices['connections'] & Pick<Connections, 'getEnabled'>
}

const adapter = fakeAdapter({ adapterKey: 'fake.api.v1', platformType: 'fake' })

/**
 * The services of the core's handlers on a real database and queue, with connections whose adapters
 * are `abilitiesOf` their ids.
 */
export function createServices (
  { database: real, log }: Jobs,
  abilitiesOf: (connectionId: string) => Abilities,
  options: FakeOptions = {}
): FakeServices {
  const { database = real, visibleAfterMs = 0, createdAt = new Date(0), keepsLineIds = false, windowMs } = options
  const capabilitiesOf = (id: string): string[] => Object.keys(abilitiesOf(id)).filter(name => name !== 'jobs')

  async function get (id: string): Promise<Connection> {
    return fakeConnection({
      id,
      platformType: 'market',
      adapterKey: 'fake.api.v1',
      capabilities: capabilitiesOf(id),
      createdAt
    })
  }

  async function open (which: string | Connection): Promise<OpenConnection> {
    const connection = typeof which === 'string' ? await get(which) : which
    const { id } = connection
    return fakeOpened(connection, {
      ...adapter,
      supportedCapabilities: capabilitiesOf(id),
      description: {
        ...adapter.description,
        offers: { visibleAfterMs },
        orders: { keepsLineIds },
        webhooks: windowMs === undefined ? undefined : { scheme: 'hmac', windowMs, canInstall: false },
        jobs: Object.fromEntries(Object.keys(abilitiesOf(id).jobs ?? {}).map(type => [type, {}])),
        capabilities: Object
          .fromEntries(capabilitiesOf(id).map(name => [name, Object.keys(abilitiesOf(id)[name] ?? {})]))
      }
    })
  }

  const call: Adapters['call'] = async (_adapter, connection, target, args) => {
    const method = methodOf(abilitiesOf(connection?.id ?? ''), target)
    if (method === undefined) throw new TypeError(`the fake adapter has no ${JSON.stringify(target)}`)
    return (method as (...args: unknown[]) => unknown)(...args)
  }

  const learnAccountForOrders = async ({ connection }: OpenConnection) => connection
  const connections = { get, getEnabled: get, open, openEnabled: open, learnAccountForOrders }
  const adapters = { call }
  const enqueueJobs = createEnqueue({ database, jobTypeOf })
  return {
    database,
    connections,
    adapters,
    enqueueJobs,
    log,
    onStockWritten: () => undefined,
    now: () => new Date(),
    offerReads: createOfferReads(database),
    stockReads: createStockReads((job, opened, method, argument) =>
      callCapability({ adapters }, job, opened, 'InventoryMaster', method, argument)
    ),
    stockWrites: createStockWrites((job, opened, capability, method, ...args) =>
      askCapability({ adapters }, job, opened, capability, method, ...args)
    )
  }
}

function methodOf (abilities: Abilities, target: CallTarget): Abilities[string][string] | undefined {
  switch (target.kind) {
    case 'job':
      return abilities.jobs?.[target.jobType]
    case 'capability':
      return abilities[target.capability]?.[target.method]
    default:
      return undefined
  }
}

export function runningJob (
  jobType: string,
  connectionId: string | null,
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
 * Runs a job to its end as the worker does: what follows from it is stored in one transaction.
 * Returns its outcome and the jobs that follow.
 */
export async function runJob (
  services: HandlerServices,
  job: RunningJob
): Promise<JobOutcome & { jobTypes: string[] }> {
  const outcome = await handle(services, job)
  const requests = await services.database.transaction(async transaction => {
    const following = await storeOutcomes(transaction, [outcome])
    await services.enqueueJobs(following, transaction)
    return following
  })
  return { ...outcome, jobTypes: requests.map(({ jobType }) => jobType) }
}
