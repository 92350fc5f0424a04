import type { AuditAction } from '../../audit/actions.ts'
import { currentActor } from '../../audit/actor.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Query } from '../../database/database.ts'
import { RedriveEndedError, RedriveNotFoundError, RedriveTryingError } from '../../errors.ts'
import type { Position } from '../../http/paging.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { ObjectKeysOf } from '../object-keys.ts'
import type { FindObstacles } from '../operation/obstacles.ts'
import { createShow, type ShowOptions } from '../show-jobs.ts'
import { getJobs } from '../store.ts'
import { cancelAll } from './cancel-all.ts'
import { createDeadJobsOf } from './dead-jobs-of.ts'
import {
  mostRedriven,
  type CancelDeadBody,
  type CancelDeadResult,
  type RedriveBody,
  type RedriveFilter,
  type RedrivePlan,
  type RedriveStarted,
  type RedriveView
} from './schemas.ts'
import {
  closeRedrive,
  countNamedLeftOut,
  findOldest,
  groupDead,
  listRedrives,
  lockForChange,
  readRedrive,
  recount,
  storeContinued,
  storeJobs,
  storeRedrive,
  storeStopped,
  type DeadGroup,
  type DeadJobs,
  type LockedRedrive
} from './store.ts'
import { sumPlan } from './sum-plan.ts'

/** Runs many dead jobs again. */
export interface Redrives {
  /** Tells what a redrive would do. Throws for a filter without a member. */
  plan(filter: RedriveFilter): Promise<RedrivePlan>
  /** Ends dead jobs as cancelled, the oldest first. Throws for a filter without a member. */
  cancelDead(body: CancelDeadBody, operationId: string): Promise<CancelDeadResult>
  /** Fixes the jobs and begins. A repetition of the request answers the same redrive. */
  start(body: Omit<RedriveBody, 'dryRun'>, request: RequestIds): Promise<RedriveStarted>
  /** Throws `LNK_REDRIVE_NOT_FOUND`. */
  get(id: string): Promise<RedriveView>
  list(page: { after?: Position | undefined, limit: number }): Promise<RedriveView[]>
  /** Lets it run the other jobs, too. Throws when it is over, or its first jobs have not ended. */
  resume(id: string): Promise<void>
  /** Lets it run no more jobs. Throws when it is done. */
  stop(id: string): Promise<void>
}

export interface RedrivesOptions extends Omit<ShowOptions, 'query'> {
  database: Database
  objectKeysOf: ObjectKeysOf
  findObstacles: FindObstacles
  /** Called when a redrive has work for the hub. */
  wake(this: void): void
}

/** Changes the state of a redrive; answers the new one, or undefined when nothing changes. */
type ChangeState = (query: Query, redrive: LockedRedrive) => Promise<string | undefined>

const sampleSize = 10

export function createRedrives ({ database, objectKeysOf, findObstacles, wake, ...options }:
  RedrivesOptions): Redrives
{
  const { query } = database
  const { connectionStates } = options
  const show = createShow({ query, ...options })
  const deadJobsOf = createDeadJobsOf(objectKeysOf)

  async function withNames (groups: readonly DeadGroup[]): Promise<RedrivePlan['byGroup']> {
    const states = await connectionStates([...new Set(groups.flatMap(({ connectionId }) => connectionId ?? []))])
    const names = new Map<string | null, string>(states.map(({ id, name }) => [id, name]))
    return groups.map(group => ({ ...group, connectionName: names.get(group.connectionId) ?? null }))
  }

  async function sampleOf (wanted: DeadJobs): Promise<RedrivePlan['sample']> {
    const ids = await findOldest(query, wanted, sampleSize)
    const found = await getJobs(query, ids)
    return show(ids.flatMap(id => found.get(id) ?? []))
  }

  async function plan (filter: RedriveFilter): Promise<RedrivePlan> {
    const wanted = await deadJobsOf(filter)
    const { groups, atMost } = await groupDead(query, wanted, mostRedriven)
    const obstacleOf = await findObstacles(query, [...new Set(groups.map(({ connectionId }) => connectionId))])
    return {
      ...sumPlan(groups, await countNamedLeftOut(query, wanted), obstacleOf),
      byGroup: await withNames(groups),
      sample: await sampleOf(wanted),
      atMost
    }
  }

  async function cancelDead (
    { filter, dryRun, reason }: CancelDeadBody,
    operationId: string
  ): Promise<CancelDeadResult> {
    const wanted = await deadJobsOf(filter)
    const { groups, atMost } = await groupDead(query, wanted, mostRedriven)
    const found = {
      ...sumPlan(groups, await countNamedLeftOut(query, wanted), () => undefined),
      byGroup: await withNames(groups),
      sample: await sampleOf(wanted),
      atMost
    }
    const { eligible, ...answer } = found
    const cancelled = dryRun
      ? 0
      : await cancelAll(database, { wanted, filter, reason: reason ?? null, operationId, most: eligible })
    return { ...answer, cancelled }
  }

  async function start (
    { filter, first, perMinute }: Omit<RedriveBody, 'dryRun'>,
    { operationId: id, requestId }: RequestIds
  ): Promise<RedriveStarted> {
    const wanted = await deadJobsOf(filter)
    const { kind, name, tokenId } = currentActor()
    const redrive = {
      id,
      filter,
      first: first ?? null,
      perMinute: perMinute ?? null,
      requestId,
      startedBy: { kind, name, tokenId }
    }
    await repeatOnConflict(() =>
      database.transaction(async ({ query }) => {
        if (!await storeRedrive(query, redrive)) return
        await storeJobs(query, id, wanted, mostRedriven)
        const { total } = await recount(query, id)
        if (total === 0) await closeRedrive(query, id, 'done')
        await record(query, redrive, 'job.redrive', {}, { filter, first, perMinute, total })
      })
    )
    wake()
    const { state, total, atMost } = await get(id)
    return { id, redriveId: id, state, total, atMost }
  }

  async function get (id: string): Promise<RedriveView> {
    const found = await readRedrive(query, id)
    if (found === undefined) throw new RedriveNotFoundError(id)
    return found
  }

  async function changeState (id: string, action: AuditAction, change: ChangeState): Promise<void> {
    await repeatOnConflict(() =>
      database.transaction(async ({ query }) => {
        const redrive = await lockForChange(query, id)
        if (redrive === undefined) throw new RedriveNotFoundError(id)
        const state = await change(query, redrive)
        if (state !== undefined) await record(query, redrive, action, { state: redrive.state }, { state })
      })
    )
    wake()
  }

  return {
    // Reading all dead jobs takes longer than other statements may.
    plan: filter => database.patiently(() => plan(filter)),
    cancelDead: (body, operationId) => database.patiently(() => cancelDead(body, operationId)),
    start: (body, request) => database.patiently(() => start(body, request)),
    get,
    list: page => listRedrives(query, page),
    resume: id => changeState(id, 'job.redrive.continue', resume),
    stop: id => changeState(id, 'job.redrive.stop', stop)
  }
}

async function resume (query: Query, { id, state, goal }: LockedRedrive): Promise<string | undefined> {
  if (state === 'stopped' || state === 'done') throw new RedriveEndedError(id, state)
  if (state === 'running' && goal !== null) throw new RedriveTryingError(id)
  if (state === 'running') return undefined
  await storeContinued(query, id)
  return 'running'
}

async function stop (query: Query, { id, state }: LockedRedrive): Promise<string | undefined> {
  if (state === 'done') throw new RedriveEndedError(id, state)
  if (state === 'stopped') return undefined
  await storeStopped(query, id)
  return 'stopped'
}

async function record (
  query: Query,
  { id, filter }: Pick<LockedRedrive, 'id' | 'filter'>,
  action: AuditAction,
  before: object,
  after: object
): Promise<void> {
  await recordChange(query, {
    action,
    connectionId: filter.connectionId,
    objectId: id,
    changes: listChanges({ ...before }, { ...after }, () => false)
  })
}
