import { validate } from 'uuid'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import { InvalidRequestError } from '../errors.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import { exclusionKeyOf, jobIdOf } from './identity.ts'
import type { Enqueued, JobRequest, JobType, Lane } from './job.ts'
import { isStorableText } from '../database/storable-json.ts'

/**
 * Stores jobs, all or none, and answers one entry per request in the same order. A known key
 * answers with its job. With a transaction the jobs become visible with it, and waking the workers
 * after its commit is the caller's: `database.notify('jobs')`.
 */
export type EnqueueJobs = (requests: readonly JobRequest[], transaction?: Transaction) => Promise<Enqueued[]>

interface Draft {
  id: string
  lane: Lane
  exclusionKey: string
  position: number
  request: JobRequest
}

const mostRounds = 100

export function createEnqueue ({ database, jobTypeOf }: {
  database: Database,
  jobTypeOf(name: string): JobType
}): EnqueueJobs {
  /**
   * A waiting job of the same object stands for a new state job too. It may begin to run between
   * the refused insert and the look for it; then the insert succeeds in the next round.
   */
  async function store (requests: readonly JobRequest[], transaction: Transaction): Promise<Enqueued[]> {
    const drafts = requests.map((request, position) => draftOf(request, position, jobTypeOf(request.jobType)))
    const fresh = new Set<Draft>()
    // Two transactions that insert the same keys in different orders would wait for each other for
    // ever.
    let left = inOrder(drafts)
    for (let round = 0; left.length > 0; round++) {
      if (round === mostRounds) throw new Error(`job '${left[0]?.id}' could be neither queued nor coalesced`)
      left = without(left, await insertQueued(left, transaction), fresh)
      if (left.length === 0) break
      const known = await idsInLedger(left, transaction)
      left = left.filter(({ id }) => !known.has(id))
      left = without(left, await insertCoalesced(left, transaction), fresh)
    }
    return drafts.map(draft => ({ id: draft.id, isNew: fresh.has(draft) }))
  }

  return async function enqueueJobs (requests, transaction) {
    if (requests.length === 0) return []
    if (transaction !== undefined) return store(requests, transaction)
    const enqueued = await repeatOnConflict(() => database.transaction(own => store(requests, own)))
    database.notify('jobs')
    return enqueued
  }
}

function draftOf (request: JobRequest, position: number, type: JobType): Draft {
  const problem = problemOf(request)
  if (problem !== undefined) {
    throw new InvalidRequestError(`job ${position} (${JSON.stringify(request.jobType)}): ${problem}`)
  }
  const { lane, objectKey } = request.delayMs === undefined ? type : delayedType(request)
  return {
    id: jobIdOf(request.idempotencyKey),
    lane,
    exclusionKey: exclusionKeyOf({ lane, objectKey }, request),
    position,
    request
  }
}

/** A waiting job stands for later jobs of its object. A job with a long delay must not. */
function delayedType ({ idempotencyKey }: JobRequest): JobType {
  return { lane: 'state', objectKey: () => `delayed:${idempotencyKey}` }
}

/**
 * Names what PostgreSQL would refuse in a request, or undefined. One refused row would fail the
 * whole batch.
 */
function problemOf ({ jobType, connectionId, idempotencyKey, requestId = '' }: JobRequest): string | undefined {
  if (connectionId !== null && !validate(connectionId)) return '`connectionId` is not a UUID'
  if (jobType === '' || idempotencyKey === '') return '`jobType` and `idempotencyKey` must not be empty'
  if (![jobType, idempotencyKey, requestId].every(isStorableText)) {
    return '`jobType`, `idempotencyKey` or `requestId` holds a NUL character or half of a surrogate pair'
  }
  return undefined
}

const columns = `
  id, job_type, lane, connection_id, object_key, command_order, idempotency_key, payload, request_id`

const valuesOfDraft = `
  id, "jobType", lane, "connectionId", "exclusionKey",
  case lane when 'command' then (select nextval('jobs_command_order')) + position end,
  "idempotencyKey", payload::json, "requestId"`

const draftRecords = `
  json_to_recordset($1) as draft (
    id uuid, "jobType" text, lane text, "connectionId" uuid, "exclusionKey" text, position integer,
    "idempotencyKey" text, payload text, "requestId" text, "delayMs" bigint
  )`

// The conflict is a known id, or a job of the same object that waits.
const insertQueuedStatement = prepared(`
  insert into jobs (${columns}, state, due_at)
  select ${valuesOfDraft}, 'queued', now() + interval '1 millisecond' * coalesce("delayMs", 0)
  from ${draftRecords}
  on conflict do nothing
  returning id`)

// The lock keeps a worker from claiming the waiting job before this transaction commits: its run
// would not see what the transaction wrote, and no other run would follow.
const insertCoalescedStatement = prepared(`
  with waiting as (
    select id as "waitingId", object_key
    from jobs
    where lane = 'state' and state = 'queued' and object_key = any($2)
    order by object_key
    for share
  )
  insert into jobs (${columns}, coalesced_into)
  select ${valuesOfDraft}, "waitingId"
  from ${draftRecords}
  join waiting on waiting.object_key = draft."exclusionKey"
  where lane = 'state'
  on conflict (id) do nothing
  returning id`)

async function insertQueued (drafts: readonly Draft[], { query }: Transaction): Promise<Set<string>> {
  return idsOf(await query(insertQueuedStatement, [recordsOf(drafts)]))
}

/** Stores jobs for which a waiting job of the same object now stands, and answers them. */
async function insertCoalesced (drafts: readonly Draft[], { query }: Transaction): Promise<Set<string>> {
  if (drafts.length === 0) return new Set()
  const keys = [...new Set(drafts.map(draft => draft.exclusionKey))]
  return idsOf(await query(insertCoalescedStatement, [recordsOf(drafts), keys]))
}

async function idsInLedger (drafts: readonly Draft[], { query }: Transaction): Promise<Set<string>> {
  return idsOf(await query('select id from jobs where id = any($1::uuid[])', [drafts.map(({ id }) => id)]))
}

function idsOf (rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id))
}

function recordsOf (drafts: readonly Draft[]): string {
  return JSON.stringify(drafts.map(({ id, lane, exclusionKey, position, request }) => ({
    id,
    lane,
    exclusionKey,
    position,
    jobType: request.jobType,
    connectionId: request.connectionId,
    idempotencyKey: request.idempotencyKey,
    requestId: request.requestId,
    delayMs: request.delayMs,
    // Text inside the JSON: read as JSON at once, PostgreSQL would refuse escapes that a `json`
    // column takes.
    payload: JSON.stringify(request.payload)
  })))
}

/** Answers the drafts that were not stored. Of two with one id, the first was. */
function without (drafts: readonly Draft[], stored: Set<string>, fresh: Set<Draft>): Draft[] {
  return drafts.filter(draft => {
    if (!stored.delete(draft.id)) return true
    fresh.add(draft)
    return false
  })
}

function inOrder (drafts: readonly Draft[]): Draft[] {
  const keyOf = ({ exclusionKey, id }: Draft): string => `${exclusionKey}\n${id}`
  return drafts.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b)))
}
