import type { Query } from '../../database/database.ts'
import {
  closeFormer,
  insertKey,
  moveBeginning,
  selectFormer,
  selectHasUnknown,
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
  ordersSince: Date | null
  deletedAt: Date
}

type FormerRow =
  & Omit<FormerConnection, 'ordersSince' | 'deletedAt'>
  & { ordersSince: string | null, deletedAt: string }

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
    ordersSince: former.ordersSince === null ? null : new Date(former.ordersSince),
    deletedAt: new Date(former.deletedAt)
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

/** Whether a platform has another connection whose account is not known yet. */
export async function hasUnknown (
  query: Query,
  { id, platformType }: { id: string, platformType: string }
): Promise<boolean> {
  const [found] = await query<{ hasUnknown: boolean }>(selectHasUnknown, [platformType, id])
  return found?.hasUnknown === true
}

/** Notes that a connection of an account took over a deleted one, whose account may be unknown. */
export async function closeFormerConnection (
  query: Query,
  formerId: string,
  accountId: string | null | undefined
): Promise<void> {
  await query(closeFormer, [formerId, accountId ?? null])
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
