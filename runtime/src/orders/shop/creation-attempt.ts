import { AdapterErrorCode, isAdapterError, RateLimitedError } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import type { OrderRow } from '../store.ts'
import { markBegun, readUnsureMs, writeUnsureMs, type Handing } from './store.ts'

// The shop continues with a request although its client has given up. The order may therefore
// appear later, and an earlier search does not find it.

/** Twice the longest time that the client waits for an answer. */
const unansweredMs = 60_000

/** Whether the shop may have an order although the hub knows no id of it there. */
export function mustSearch ({ creationBegunAt, searchedSince }: Pick<
  OrderRow,
  'creationBegunAt' | 'searchedSince'
>): boolean {
  return creationBegunAt !== null || searchedSince !== null
}

/**
 * Stores that an attempt to make an order in the shop begins. Returns false when the order is not
 * ready. Throws while an earlier attempt may be under way.
 */
export async function beginCreation (query: Query, orderId: string, handing: Handing): Promise<boolean> {
  const isBegun = await markBegun(query, orderId, handing)
  if (!isBegun) await waitWhileUnsure(query, orderId)
  return isBegun
}

/**
 * Throws while the shop may still work on an attempt without showing the order. The error puts the
 * job back and uses none of its attempts.
 */
export async function waitWhileUnsure (query: Query, orderId: string): Promise<void> {
  const retryAfterMs = await readUnsureMs(query, orderId)
  if (retryAfterMs !== undefined) {
    throw new RateLimitedError('the shop did not answer an attempt to create the order and may still be creating it', {
      retryAfterMs
    })
  }
}

/** Stores that a failed attempt is over, or that the shop may still work on it. */
export async function noteFailedCreation (query: Query, orderId: string, error: unknown): Promise<void> {
  await writeUnsureMs(query, orderId, isAttemptOver(error) ? null : unansweredMs)
}

const answeredCodes: ReadonlySet<string> = new Set([
  AdapterErrorCode.rejected,
  AdapterErrorCode.notFound,
  AdapterErrorCode.authentication,
  AdapterErrorCode.configuration,
  AdapterErrorCode.rateLimited,
  AdapterErrorCode.unavailable
])
const unreachedCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT'
])

/** Whether an error shows that the attempt is over: the shop answered, or was never reached. */
function isAttemptOver (error: unknown): boolean {
  if (!isAdapterError(error)) return false
  return answeredCodes.has(error.code) ||
    (error.cause instanceof Error && 'code' in error.cause && unreachedCodes.has(error.cause.code))
}
