import { AdapterErrorCode, isAdapterError, RateLimitedError } from '@linker/sdk'
import type { Query } from '../database/database.ts'

// The shop goes on when a client gives up: the order may appear there later, and a search before
// that does not find it.

/** Longest run of a job. Nobody knows how far a run came whose process died. */
const longestAttemptMs = 120_000
/** Twice the longest time that the client waits for an answer. */
const unansweredMs = 60_000

// Ignore a time much further ahead: a server whose clock was ahead wrote it, and the order would
// wait until then. Read the clock at the row, not at the start of the transaction: a transaction
// that waited for the row began before the attempt that it waited for.
const isUnsure = `(creation_unsure_until > clock_timestamp()
  and creation_unsure_until <= clock_timestamp() + interval '${2 * longestAttemptMs} milliseconds')`

const markBegun = `
  update orders set
    creation_begun_at = coalesce(creation_begun_at, now()),
    creation_unsure_until = clock_timestamp() + interval '${longestAttemptMs} milliseconds'
  where id = $1
    and status = 'ready'
    and destination_external_id is null
    and ${isUnsure} is not true
  returning id`

/**
 * Stores that an attempt to make an order in the shop begins. Answers false when the order is not
 * ready. Throws while an earlier attempt may be under way.
 */
export async function beginCreation (query: Query, orderId: string): Promise<boolean> {
  const begun = await query(markBegun, [orderId])
  if (begun.length === 0) await waitWhileUnsure(query, orderId)
  return begun.length > 0
}

const selectUnsure = `
  select ceil(extract(epoch from creation_unsure_until - clock_timestamp()) * 1000)::integer as "leftMs"
  from orders
  where id = $1 and ${isUnsure}`

/**
 * Throws while an attempt may be under way that the shop does not show yet. The error puts the job
 * back and uses none of its attempts.
 */
export async function waitWhileUnsure (query: Query, orderId: string): Promise<void> {
  const [unsure] = await query<{ leftMs: number }>(selectUnsure, [orderId])
  if (unsure !== undefined) {
    throw new RateLimitedError('the shop did not answer an attempt to create the order and may still be creating it', {
      retryAfterMs: unsure.leftMs
    })
  }
}

/** Stores that a failed attempt is over, or that it may still be under way. */
export async function noteFailedCreation (query: Query, orderId: string, error: unknown): Promise<void> {
  const setUnsure = `
    update orders set creation_unsure_until = clock_timestamp() + $2::integer * interval '1 millisecond'
    where id = $1`
  await query(setUnsure, [orderId, isAnswered(error) ? null : unansweredMs])
}

const answers: ReadonlySet<string> = new Set([
  AdapterErrorCode.rejected,
  AdapterErrorCode.notFound,
  AdapterErrorCode.authentication,
  AdapterErrorCode.configuration,
  AdapterErrorCode.rateLimited
])
const unconnected: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether an error shows that the attempt is over: the shop answered, or was never reached. */
function isAnswered (error: unknown): boolean {
  if (!isAdapterError(error)) return false
  return answers.has(error.code) ||
    (error.cause instanceof Error && 'code' in error.cause && unconnected.has(error.cause.code))
}
