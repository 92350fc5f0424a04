import type { ConnectionCache } from '../../connections/connection-cache.ts'
import type { Query } from '../../database/database.ts'
import {
  ConnectionDisabledException,
  ConnectionNotFoundException,
  DeliveryExpiredError,
  DeliveryNotFoundError,
  DeliveryReplayLimitError
} from '../../errors.ts'
import { eventToJob, type IgnoredReason } from '../../events/event-to-job.ts'
import { jobsOfConnection, type HasJobOn, type JobsOfConnection } from '../../events/jobs-of-connection.ts'
import type { EnqueueJobs } from '../../jobs/enqueue.ts'
import { jobIdOf } from '../../jobs/identity.ts'
import type { JobRequest, JobStatus } from '../../jobs/job.ts'
import type { JobOfOperation } from '../../jobs/store.ts'
import type { Delivery } from './delivery.ts'
import { mostReplays, readLeanReplays, replayKey, type LeanReplays } from './replays.ts'
import { replayableUntil } from './view.ts'

export interface ReplayOptions {
  query: Query
  connections: Pick<ConnectionCache, 'refresh'>
  enqueueJobs: EnqueueJobs
  hasJob: HasJobOn
  keptDays: number
  now: () => Date
}

/** For whom deliveries are replayed. The same `operationId` replays each delivery once. */
export interface ReplayOccasion {
  operationId: string
  requestId: string
}

/** The effect that a replay of a delivery would have: starts a job, does nothing, or is refused. */
export type Plan =
  & { delivery: Delivery }
  & (
    | {
      job: JobRequest,
      /** Whether an earlier replay has handled the event, or is about to. */
      isReplayed: boolean
    }
    | { ignored: IgnoredReason }
    | { refusal: Error & { code: string, statusCode?: number } }
  )

export type JobPlan = Extract<Plan, { job: JobRequest }>

/** Deliveries whose replays are looked up with one statement. */
const mostAtOnce = 20
const failed: ReadonlySet<JobStatus> = new Set(['dead', 'cancelled'])
/** Others may replay a delivery at the same moment, and take the next number. */
const mostRounds = 10

/** Handles accepted events again, as if they came now. */
export function createReplay ({ query, connections, enqueueJobs, hasJob, keptDays, now }: ReplayOptions) {
  /** Asks the connections as they are now; the result is used for one request. */
  function createJobsOf (): (connectionId: string) => Promise<JobsOfConnection> {
    const known = new Map<string, Promise<JobsOfConnection>>()

    async function read (connectionId: string): Promise<JobsOfConnection> {
      const connection = await connections.refresh(connectionId)
      if (connection === null) throw new ConnectionNotFoundException(connectionId)
      if (connection.status === 'disabled') throw new ConnectionDisabledException(connectionId)
      return jobsOfConnection(connection, hasJob)
    }

    return connectionId => {
      const found = known.get(connectionId) ?? read(connectionId)
      known.set(connectionId, found)
      return found
    }
  }

  async function planOne (
    delivery: Delivery,
    replays: LeanReplays,
    jobsOf: (connectionId: string) => Promise<JobsOfConnection>,
    { operationId, requestId }: ReplayOccasion
  ): Promise<Plan> {
    const { id, connectionId, event } = delivery
    try {
      if (event === null) throw new DeliveryNotFoundError(id)
      const until = replayableUntil(delivery, keptDays)
      if (until <= now()) throw new DeliveryExpiredError(id, until.toISOString())
      const { events, hasJob, unwanted } = await jobsOf(connectionId)
      const mapping = eventToJob({ ...event, requestId }, events, hasJob)
      if ('ignored' in mapping) {
        return { delivery, ignored: unwanted?.has(event.eventType) === true ? 'unwanted event type' : mapping.ignored }
      }
      if (isExhausted(replays, operationId)) throw new DeliveryReplayLimitError(id, mostReplays)
      const { job } = mapping
      return {
        delivery,
        job: { ...job, payload: { ...job.payload, replayOf: id, operationId } },
        isReplayed: isReplayed(replays, operationId)
      }
    } catch (error) {
      if (isRefusal(error)) return { delivery, refusal: error }
      throw error
    }
  }

  /**
   * Returns the function that tells what a replay of each delivery would do. It uses one mapping,
   * that of today, for all deliveries of a request.
   */
  function createPlan (occasion: ReplayOccasion): (deliveries: readonly Delivery[]) => Promise<Plan[]> {
    const jobsOf = createJobsOf()

    return async function plan (deliveries) {
      const plans: Plan[] = []
      for (let start = 0; start < deliveries.length; start += mostAtOnce) {
        const some = deliveries.slice(start, start + mostAtOnce)
        const replays = await readLeanReplays(query, some.map(({ id }) => id))
        plans.push(...await Promise.all(some.map(delivery =>
          planOne(delivery, replays.get(delivery.id) ?? [], jobsOf, occasion)
        )))
      }
      return plans
    }
  }

  /**
   * Enqueues the planned jobs in their order. Returns the id of each job, by the id of its
   * delivery.
   */
  async function run (plans: readonly JobPlan[], { operationId }: ReplayOccasion): Promise<Map<string, string>> {
    const jobIds = new Map<string, string>()
    for (let start = 0; start < plans.length; start += mostAtOnce) {
      await runSome(plans.slice(start, start + mostAtOnce), operationId, jobIds)
    }
    return jobIds
  }

  async function runSome (plans: readonly JobPlan[], operationId: string, jobIds: Map<string, string>): Promise<void> {
    let left = plans
    for (let round = 0; left.length > 0 && round < mostRounds; round++) {
      const replays = await readLeanReplays(query, left.map(({ delivery }) => delivery.id))
      const requests = left.flatMap(({ delivery, job }) => {
        const ofDelivery = replays.get(delivery.id) ?? []
        const done = replayOf(ofDelivery, operationId)
        if (done === undefined) {
          return [{ delivery, request: { ...job, idempotencyKey: nextKey(delivery, ofDelivery) } }]
        }
        jobIds.set(delivery.id, done.id)
        return []
      })
      const enqueued = await enqueueJobs(requests.map(({ request }) => request))
      requests.forEach(({ delivery, request }, index) => {
        if (enqueued[index]?.isNew === true) jobIds.set(delivery.id, jobIdOf(request.idempotencyKey))
      })
      left = left.filter(({ delivery }) => !jobIds.has(delivery.id))
    }
    const [first] = left
    if (first !== undefined) throw new DeliveryReplayLimitError(first.delivery.id, mostReplays)
  }

  return { createPlan, run }
}

function nextKey ({ id }: Delivery, replays: LeanReplays): string {
  if (replays.length >= mostReplays) throw new DeliveryReplayLimitError(id, mostReplays)
  return replayKey(id, replays.length + 1)
}

/** The replay that an earlier run of the same request made. */
function replayOf (replays: LeanReplays, operationId: string): JobOfOperation | undefined {
  return replays.find(({ operation }) => operation === operationId)
}

function isExhausted (replays: LeanReplays, operationId: string): boolean {
  return replays.length >= mostReplays && replayOf(replays, operationId) === undefined
}

/**
 * Only replays from before an earlier run of the same request count: its repetition has the same
 * result.
 */
function isReplayed (replays: LeanReplays, operationId: string): boolean {
  const own = replays.findIndex(({ operation }) => operation === operationId)
  return replays.slice(0, own < 0 ? replays.length : own).some(({ status }) => !failed.has(status))
}

function isRefusal (error: unknown): error is Error & { code: string, statusCode: number } {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' &&
    error.statusCode < 500
}
