import { validate } from 'uuid'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import { InvalidRequestError } from '../errors.ts'
import { repeatOnConflict } from '../database/conflict.ts'
import type { JobEngine } from './engine.ts'
import { exclusionKeyOf, hubGroup, jobIdOf } from './identity.ts'
import type { Enqueued, JobRequest, JobType, Lane } from './job.ts'
import { isStorableText } from '../database/storable-json.ts'

/**
 * Stores jobs and puts them into the live queue, all or none, and answers one entry per request in
 * the same order. A known key answers with its job. With a transaction the jobs become visible with
 * it, and waking the workers after its commit is the caller's: `database.notify('jobs')`.
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

export function createEnqueue ({ engine, database, jobTypeOf }: {
  engine: JobEngine,
  database: Database,
  jobTypeOf(name: string): JobType
}): EnqueueJobs {
  async function store (requests: readonly JobRequest[], transaction: Transaction): Promise<Enqueued[]> {
    const drafts = requests.map((request, position) => draftOf(request, position, jobTypeOf(request.jobType)))
    const inserted = await insertIntoLedger(drafts, transaction)
    const fresh = drafts.filter(draft => inserted.delete(draft.id))
    await insertCommands(fresh.filter(draft => draft.lane === 'command'), transaction)
    await insertStates(fresh.filter(draft => draft.lane === 'state'), transaction)
    const isNew = new Set(fresh)
    return drafts.map(draft => ({ id: draft.id, isNew: isNew.has(draft) }))
  }

  async function insertCommands (drafts: readonly Draft[], transaction: Transaction): Promise<void> {
    if (drafts.length > 0) await engine.boss.insert('command', drafts.map(bossJobOf), { db: transaction.boss })
  }

  /**
   * A waiting job of the same key stands for the new one too. Otherwise the job is queued, which
   * pg-boss refuses when another of the same key came between. The look also keeps the inserts of a
   * batch in one order, so that two batches cannot deadlock.
   */
  async function insertStates (drafts: readonly Draft[], transaction: Transaction): Promise<void> {
    let left = inOrderOf(drafts, draft => draft.exclusionKey)
    for (let round = 0; left.length > 0; round++) {
      if (round === mostRounds) throw new Error(`job '${left[0]?.id}' could be neither queued nor coalesced`)
      const coalesced = await coalesce(left, transaction)
      left = left.filter(draft => !coalesced.has(draft.id))
      if (left.length === 0) return
      const queued =
        new Set(await engine.boss.insert('state', left.map(bossJobOf), { db: transaction.boss, returnId: true }))
      left = left.filter(draft => !queued.has(draft.id))
    }
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

async function insertIntoLedger (drafts: readonly Draft[], { query }: Transaction): Promise<Set<string>> {
  // In the order of the key: two transactions that insert the same keys in different orders wait
  // for each other for ever.
  const rows = inOrderOf(drafts, draft => draft.id).map(({ id, lane, exclusionKey, position, request }) => ({
    id,
    lane,
    exclusionKey,
    position,
    jobType: request.jobType,
    connectionId: request.connectionId,
    idempotencyKey: request.idempotencyKey,
    requestId: request.requestId,
    // Text inside the JSON: read as JSON at once, PostgreSQL would refuse escapes that a `json`
    // column takes.
    payload: JSON.stringify(request.payload)
  }))
  const inserted = await query<{ id: string }>(
    prepared(`
    insert into jobs (
      id, job_type, lane, connection_id, object_key, command_order, idempotency_key, payload, request_id
    )
    select id, "jobType", lane, "connectionId", "exclusionKey",
      case lane when 'command' then (select nextval('jobs_command_order')) + position end,
      "idempotencyKey", payload::json, "requestId"
    from json_to_recordset($1) as draft (
      id uuid, "jobType" text, lane text, "connectionId" uuid, "exclusionKey" text,
      position integer, "idempotencyKey" text, payload text, "requestId" text
    )
    on conflict (id) do nothing
    returning id`),
    [JSON.stringify(rows)]
  )
  return new Set(inserted.map(row => row.id))
}

/** Answers the jobs that a waiting one of the same key now stands for. */
async function coalesce (drafts: readonly Draft[], { query }: Transaction): Promise<Set<string>> {
  // The lock keeps a worker from claiming the waiting job before this transaction commits: its run
  // would not see what the transaction wrote, and no other run would follow.
  const rows = await query<{ id: string }>(
    prepared(`
    with waiting as (
      select id, singleton_key
      from pgboss.job
      where name = 'state'
        and state = 'created'
        and policy = 'stately'
        and coalesce(singleton_key, '') = any($1)
      for share
    )
    update jobs
    set coalesced_into = waiting.id
    from waiting
    where jobs.id = any($2::uuid[]) and jobs.object_key = waiting.singleton_key
    returning jobs.id`),
    [[...new Set(drafts.map(draft => draft.exclusionKey))].toSorted(), drafts.map(draft => draft.id)]
  )
  return new Set(rows.map(row => row.id))
}

function bossJobOf ({ id, exclusionKey, request: { connectionId, delayMs } }: Draft): {
  id: string,
  singletonKey: string,
  group: { id: string },
  startAfter?: string
} {
  return {
    id,
    singletonKey: exclusionKey,
    group: { id: connectionId ?? hubGroup },
    ...(delayMs === undefined ? {} : { startAfter: `${delayMs} milliseconds` })
  }
}

function inOrderOf<Item> (items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b)))
}
