import type { Query, Transaction } from '../../database/database.ts'
import {
  insertKey,
  moveBeginning,
  promoteSharing,
  selectFormer,
  selectHolder,
  selectIsAlone,
  selectKey
} from './statements.ts'

/** A connection that others are told of. */
export interface NamedConnection {
  id: string
  name: string
}

/** Returns the other connection that stands for an account, if there is one. */
export async function findHolder (
  query: Query,
  { id, platformType }: { id: string, platformType: string },
  accountId: string
): Promise<NamedConnection | undefined> {
  const [holder] = await query<NamedConnection>(selectHolder, [platformType, accountId, id])
  return holder
}

/** A deleted connection. */
export interface FormerConnection extends NamedConnection {
  /** Null: the hub never knew its account. */
  accountId: string | null
  accountName: string | null
  ordersSince: Date | null
}

type FormerRow = Omit<FormerConnection, 'ordersSince'> & { ordersSince: string | null }

/**
 * Returns a deleted connection that opened an account, or may have opened it, preferably a known
 * one. `only`: no other connection than this one.
 */
export async function findFormer (
  query: Query,
  platformType: string,
  accountId: string | undefined,
  only?: string
): Promise<FormerConnection | undefined> {
  const [former] = await query<FormerRow>(selectFormer, [platformType, accountId ?? null, only ?? null])
  return former && {
    ...former,
    ordersSince: former.ordersSince === null ? null : new Date(former.ordersSince)
  }
}

/** Whether a platform has no other connection, not even a deleted one. */
export async function isAlone (
  query: Query,
  { id, platformType }: { id: string, platformType: string }
): Promise<boolean> {
  const [found] = await query<{ isAlone: boolean }>(selectIsAlone, [platformType, id])
  return found?.isAlone === true
}

/**
 * Lets the oldest connection that shares the account of a deleted connection take its orders from
 * now on. Returns the id of that connection.
 */
export async function promoteSharingConnection (
  { em, query }: Transaction,
  deletedId: string
): Promise<string | undefined> {
  // Two connections may not stand for one account, so the deletion must be stored first.
  await em.flush()
  const [promoted] = await query<{ id: string }>(promoteSharing, [deletedId])
  return promoted?.id
}

/** Returns the key of this hub for the hashes of account ids. Makes it at the first call. */
export async function readAccountKey (query: Query): Promise<string> {
  await query(insertKey)
  const [row] = await query<{ key: string }>(selectKey)
  return row?.key ?? ''
}

/** Lets a connection begin earlier: the hub makes orders that were placed since. ISO 8601. */
export async function beginOrdersAt (query: Query, connectionId: string, since: string): Promise<void> {
  await query(moveBeginning, [connectionId, since])
}
