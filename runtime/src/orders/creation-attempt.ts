import { AdapterErrorCode, isAdapterError, RateLimitedError } from '@linker/sdk'
import type { Query } from '../database/database.ts'

// A client that gives up does not stop the shop: what it was asked for may appear there later, and
// a search before that finds nothing.

/** A run of a job does not last longer; of one whose process died nobody knows how far it came. */
const longestAttemptMs = 120_000
/** Twice the longest that the client waits for an answer. */
const unansweredMs = 60_000

// A time much further ahead is of a server whose clock was: it would keep the order waiting until
// then. The clock is read at the row, and not as the transaction begins: a transaction that waited
// for the row began before the attempt that it waited for.
const isUnsure = `(creation_unsure_until > clock_timestamp()
  and creation_unsure_until <= clock_timestamp() + interval '${2 * longestAttemptMs} milliseconds')`

/**
 * Stores that an attempt to make an order in the shop begins. Answers false when the order is not
 * ready. Throws while an earlier attempt may be under way.
 */
export async function beginCreation (query: Query, orderId: string): Promise<boolean> {
  const begun = await query(
    `
    update orders set creation_begun_at = coalesce(creation_begun_at, now()),
      creation_unsure_until = clock_timestamp() + interval '${longestAttemptMs} milliseconds'
    where id = $1 and status = 'ready' and destination_external_id is null and ${isUnsure} is not true returning id`,
    [orderId]
  )
  if (begun.length === 0) await waitWhileUnsure(query, orderId)
  return begun.length > 0
}

/**
 * Puts the job back, and uses no attempt, while an attempt may be under way that the shop does not
 * show yet.
 */
export async function waitWhileUnsure (query: Query, orderId: string): Promise<void> {
  const [unsure] = await query<{ leftMs: number }>(
    `
    select ceil(extract(epoch from creation_unsure_until - clock_timestamp()) * 1000)::integer as "leftMs"
    from orders where id = $1 and ${isUnsure}`,
    [orderId]
  )
  if (unsure !== undefined) {
    throw new RateLimitedError('an attempt to make the order was not answered: the shop may still be at it', {
      retryAfterMs: unsure.leftMs
    })
  }
}

/** Stores what the failure of an attempt says: that it is over, or that nobody knows. */
export async function noteFailedCreation (query: Query, orderId: string, error: unknown): Promise<void> {
  await query(
    `
    update orders set creation_unsure_until = clock_timestamp() + $2::integer * interval '1 millisecond'
    where id = $1`,
    [orderId, isAnswered(error) ? null : unansweredMs]
  )
}

const answers: ReadonlySet<string> = new Set([
  AdapterErrorCode.rejected,
  AdapterErrorCode.notFound,
  AdapterErrorCode.authentication,
  AdapterErrorCode.configuration,
  AdapterErrorCode.rateLimited
])
const unconnected: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether an error says that the shop is not at it any more: it answered, or was never reached. */
function isAnswered (error: unknown): boolean {
  if (!isAdapterError(error)) return false
  return answers.has(error.code) ||
    (error.cause instanceof Error && 'code' in error.cause && unconnected.has(error.cause.code))
}
