import type { Query } from '../database/database.ts'
import { claimKey, deleteExpired, deleteUnanswered, selectKey, updateAnswer, updateLease } from './statements.ts'

/** An Idempotency-Key of a route, taken for one piece of work. */
export interface Claim {
  route: string
  key: string
  operationId: string
}

/** The answer that repetitions of a request get. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** A key as its row stands. The answer is null while there is none. */
export interface KeyRow {
  bodyHash: string
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}

/**
 * Takes a key that is new or expired, or whose first request of the same body has lost its process.
 * Returns the id of the work, or undefined when the key was not taken.
 */
export async function takeKey (
  query: Query,
  { route, key, operationId }: Claim,
  { bodyHash, leaseUntil, expiresAt, now }: { bodyHash: string, leaseUntil: Date, expiresAt: Date, now: Date }
): Promise<string | undefined> {
  const values = [route, key, bodyHash, operationId, leaseUntil, expiresAt, now]
  const [taken] = await query<{ operationId: string }>(claimKey, values)
  return taken?.operationId
}

export async function readKey (
  query: Query,
  { route, key }: Pick<Claim, 'route' | 'key'>
): Promise<KeyRow | undefined> {
  const [row] = await query<KeyRow>(selectKey, [route, key])
  return row
}

/** Stores the answer, unless another request has taken the key meanwhile. */
export async function storeAnswer (query: Query, claim: Claim, { status, headers, body }: Answer): Promise<void> {
  await query(updateAnswer, [...identityOf(claim), status, JSON.stringify(headers), body])
}

/** Lets a repetition do the same work again from `at` on. */
export async function endLease (query: Query, claim: Claim, at: Date): Promise<void> {
  await query(updateLease, [...identityOf(claim), at])
}

/** Forgets a key whose request did nothing. */
export async function releaseKey (query: Query, claim: Claim): Promise<void> {
  await query(deleteUnanswered, identityOf(claim))
}

/** Removes some expired keys. Returns how many. */
export async function removeExpiredKeys (query: Query, now: Date, limit: number): Promise<number> {
  const rows = await query(deleteExpired, [now, limit])
  return rows.length
}

function identityOf ({ route, key, operationId }: Claim): string[] {
  return [route, key, operationId]
}
