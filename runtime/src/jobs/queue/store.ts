import type { Query } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import type { AwaitedPart } from '../holds/awaited-part.ts'
import type { Cancellation, KeptCalls, Lane } from '../job.ts'
import { isAway, type Problem } from '../retry-policy.ts'
import {
  claimDue,
  claimSuspect,
  returnRunning,
  returnSilent,
  selectCancellations,
  updateEnded,
  updateHeartbeat,
  updatePutBack
} from './statements.ts'

/** Identifies one claim of a job: a worker with an older claim is refused when it settles. */
export interface Claim {
  id: string
  /** How often the job was claimed, this claim included. */
  claim: number
}

/** A job as a claim took it. */
export interface ClaimedRow extends Claim {
  lane: Lane
  jobType: string
  connectionId: string | null
  payload: Readonly<Record<string, unknown>>
  requestId: string | null
  /** When it was claimed, by the clock of the database. */
  claimedAt: string
  /** Runs that failed before. */
  failures: number
  /** Workers that died while they ran it. */
  crashes: number
  /** For how long the platform has been away that it needs; 0 if its last run did not find so. */
  unavailableMs: number
  /** Somebody cancelled it while a worker that died since ran it. */
  cancellation: Cancellation | null
  groupId: string
}

/** A place in the order in which groups get their shares. */
export interface Turn {
  lane: string
  group: string
}

export interface Share {
  /** Groups up to this one wait for the next round. */
  after: Turn
  limit: number
  perConnection: number
}

/** Claims due jobs, but no suspects. Throws a unique violation when another worker was faster. */
export async function takeDue (query: Query, { after, limit, perConnection }: Share): Promise<ClaimedRow[]> {
  return query<ClaimedRow>(claimDue, [after.lane, after.group, limit, perConnection])
}

/**
 * Claims the suspect of a lane that has waited longest. Throws a unique violation when another
 * worker was faster.
 */
export async function takeSuspect (query: Query, lane: Lane, perConnection: number): Promise<ClaimedRow[]> {
  return query<ClaimedRow>(claimSuspect, [lane, perConnection])
}

/** The end of a job. */
export interface EndRow extends Claim {
  outcome: 'succeeded' | 'dead' | 'cancelled'
  isFailure: boolean
  result?: unknown
  problem?: Problem
  adapter: string | undefined
  kept?: KeptCalls | undefined
}

/** Ends jobs. Returns for each whether the claim still held; if not, nothing was stored of it. */
export async function endJobs (query: Query, ends: readonly EndRow[]): Promise<boolean[]> {
  return changeOurs(query, updateEnded, ends.map(withError))
}

/** Why a job goes back into the queue. */
export interface PutBack {
  delayMs: number
  /**
   * Whether the job is due at once while its group is held: it waits for the end of the hold
   * anyway.
   */
  resumesWithConnection: boolean
  /** The job is due when this part of a group is free again. */
  waitsFor?: AwaitedPart | undefined
  /** Whether the run uses an attempt. */
  isFailure: boolean
  /** Absent when the run was only broken off: it leaves no trace. */
  problem?: Problem
  kept?: KeptCalls | undefined
}

export interface PutBackRow extends Claim, PutBack {
  adapter: string | undefined
}

/**
 * Puts jobs back into the queue. Returns for each whether the claim still held; if not, nothing was
 * stored of it. A cancelled job counts as lost, too: it must end, not go back.
 */
export async function putBackJobs (query: Query, backs: readonly PutBackRow[]): Promise<boolean[]> {
  return changeOurs(query, updatePutBack, backs.map(putBackRowOf))
}

/** A run that had to wait leaves no error, unless the platform itself made it wait. */
function putBackRowOf ({ waitsFor, ...given }: PutBackRow) {
  const row = { ...given, isAway: isAway(given.problem, waitsFor) }
  return waitsFor === undefined
    ? withError(row)
    : {
      ...waitsFor.keepsError === true ? withError(row) : row,
      waitsForGroup: waitsFor.groupId,
      waitsForPart: waitsFor.part,
      isPause: waitsFor.delayMs === undefined
    }
}

/** Adds the error of the run, as the attempts of its job show it. */
function withError<Row extends { problem?: Problem }> (row: Row): Row {
  return row.problem === undefined ? row : { ...row, error: { code: row.problem.code, message: row.problem.message } }
}

/**
 * Tells the queue that these jobs are being worked on. Returns those that another worker was given.
 */
export async function markAlive<Job extends Claim> (query: Query, jobs: readonly Job[]): Promise<Job[]> {
  const areOurs = await changeOurs(query, updateHeartbeat, jobs.map(({ id, claim }) => ({ id, claim })))
  return jobs.filter((_, index) => areOurs[index] !== true)
}

/** Returns the cancellation of each of these jobs that somebody cancelled while it runs. */
export async function findCancellations<Job extends Claim> (
  query: Query,
  jobs: readonly Job[]
): Promise<Map<Job, Cancellation>> {
  const claims = jobs.map(({ id, claim }) => ({ id, claim }))
  const found = await query<Claim & { cancellation: Cancellation }>(
    selectCancellations,
    [jobs.map(({ id }) => id), toStorableJson(claims)]
  )
  const byKey = new Map(found.map(row => [keyOf(row), row.cancellation]))
  return new Map(jobs.flatMap((job): [Job, Cancellation][] => {
    const cancellation = byKey.get(keyOf(job))
    return cancellation === undefined ? [] : [[job, cancellation]]
  }))
}

function keyOf ({ id, claim }: Claim): string {
  return `${id}:${claim}`
}

/** Changes jobs by the claims of this process. Returns for each whether the claim still held. */
async function changeOurs (query: Query, statement: string, changes: readonly Claim[]): Promise<boolean[]> {
  const ids = changes.map(({ id }) => id)
  const changed = new Set((await query<Claim>(statement, [ids, toStorableJson(changes)])).map(keyOf))
  return changes.map(change => changed.has(keyOf(change)))
}

/**
 * Puts the jobs of workers that were silent for so long back into the queue, as suspects: one of
 * them may have killed its worker. Returns how many.
 */
export async function returnSilentJobs (query: Query, seconds: number): Promise<number> {
  return (await query(returnSilent, [seconds])).length
}

/** Puts all running jobs back into the queue. Call it only where no worker can be running them. */
export async function returnRunningJobs (query: Query): Promise<void> {
  await query(returnRunning)
}
