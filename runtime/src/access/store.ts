import { isUniqueViolation } from '../database/conflict.ts'
import type { Query } from '../database/database.ts'
import { TokenNameTakenError } from '../errors.ts'
import type { Caller } from '../http/authentication.ts'
import type { Position } from '../http/paging.ts'
import type { TokenView } from './schemas.ts'
import {
  deleteEndedCodes,
  deleteEndedSessions,
  deleteSessions,
  insertCode,
  insertToken,
  revokeToken,
  selectEnding,
  selectTokens,
  selectToken,
  takeCode,
  updateLastUse
} from './statements.ts'

export interface NewToken extends Pick<Caller, 'name' | 'scope'> {
  id: string
  hash: string
  createdAt: Date
  createdBy: string
  expiresAt: Date | null
  /** The hash of the token that begins this session. Null: a named token. */
  parentHash: string | null
}

/** Throws `LNK_TOKEN_NAME_TAKEN` when a token that is not revoked has the name. */
export async function storeToken (query: Query, token: NewToken): Promise<TokenView> {
  const { id, name, scope, hash, createdAt, createdBy, expiresAt, parentHash } = token
  const values = [id, name, scope, hash, createdAt, createdBy, expiresAt, parentHash]
  try {
    const [stored] = await query<TokenView>(insertToken, values)
    return stored as TokenView
  } catch (error) {
    if (isUniqueViolation(error)) throw new TokenNameTakenError(name)
    throw error
  }
}

/** A named token or a session. */
export interface StoredToken extends Pick<Caller, 'name' | 'scope' | 'expiresAt'> {
  id: string
  isSession: boolean
  /** The id of the named token of a session. Null: the hub's own token began it. */
  parentId: string | null
  /** Whether it is neither revoked nor past its end, and, for a session, its token neither. */
  isValid: boolean
  /** Whether the stored time of its last use is more than a minute old. */
  isUseDue: boolean
}

/** Finds a token or session, also one that has ended. `ownHashes` are those of the own tokens. */
export async function readToken (
  query: Query,
  hash: string,
  now: Date,
  ownHashes: readonly string[]
): Promise<StoredToken | undefined> {
  const [found] = await query<StoredToken>(selectToken, [hash, now, ownHashes])
  return found
}

export async function storeLastUse (query: Query, id: string, at: Date): Promise<void> {
  await query(updateLastUse, [id, at])
}

const beforeAll: Position = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/** The named tokens that are not revoked, or the sessions that have not ended; the oldest first. */
export async function listTokens (query: Query, { after = beforeAll, limit, isSession, now }: {
  after?: Position | undefined,
  limit: number,
  isSession: boolean,
  now: Date
}): Promise<TokenView[]> {
  return query<TokenView>(selectTokens, [after.createdAt, after.id, limit, isSession, now])
}

export async function removeEndedSessions (query: Query, now: Date): Promise<void> {
  await query(deleteEndedSessions, [now])
}

export interface NewCode extends Pick<Caller, 'name' | 'scope'> {
  hash: string
  /** The hash of the token that makes the code. */
  parentHash: string
  createdAt: Date
  expiresAt: Date
}

export async function storeCode (query: Query, code: NewCode): Promise<void> {
  const { hash, parentHash, name, scope, createdAt, expiresAt } = code
  await query(insertCode, [hash, parentHash, name, scope, createdAt, expiresAt])
}

/** The token of a code. */
export interface TakenCode extends Pick<Caller, 'tokenId' | 'name' | 'scope' | 'expiresAt'> {
  parentHash: string
}

/**
 * Removes a code and returns its token. Returns undefined when there is no such code, or when the
 * code or its token has ended. `ownHashes` are those of the own tokens.
 */
export async function useCode (
  query: Query,
  hash: string,
  now: Date,
  ownHashes: readonly string[]
): Promise<TakenCode | undefined> {
  const [taken] = await query<TakenCode>(takeCode, [hash, now, ownHashes])
  return taken
}

export async function removeEndedCodes (query: Query, now: Date): Promise<void> {
  await query(deleteEndedCodes, [now])
}

/** Ends all sessions: their people sign in again. */
export async function endAllSessions (query: Query): Promise<void> {
  await query(deleteSessions)
}

/** Returns the token or session that this call ended. */
export async function endToken (
  query: Query,
  id: string,
  at: Date
): Promise<Pick<StoredToken, 'id' | 'name' | 'isSession'> | undefined> {
  const [ended] = await query<Pick<StoredToken, 'id' | 'name' | 'isSession'>>(revokeToken, [id, at])
  return ended
}

export interface EndingToken extends Pick<TokenView, 'id' | 'name'> {
  expiresAt: string
  /** From when on it ends soon. */
  soonFrom: string
}

/**
 * The named tokens that are not revoked and end soon, or ended after a time; the first to end
 * first. A token ends soon when less than a quarter of its life is left, and no more than `soonMs`.
 */
export async function listEndingTokens (
  query: Query,
  { endedAfter, now, soonMs, limit }: { endedAfter: Date, now: Date, soonMs: number, limit: number }
): Promise<EndingToken[]> {
  return query<EndingToken>(selectEnding, [endedAfter, now, soonMs, limit])
}
