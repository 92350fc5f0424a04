import { LockMode, type EntityManager, type RequiredEntityData } from '@mikro-orm/postgresql'
import type { Pin } from '../adapters/kept-effects.ts'
import type { Pinned } from '../adapters/view.ts'
import type { Database, Query } from '../database/database.ts'
import { ConnectionNotFoundException } from '../errors.ts'
import { isAfter, type Position } from '../http/paging.ts'
import { idsBeginningWith } from '../text-patterns.ts'
import type { WebhookConnection } from './connection-cache.ts'
import type { DeletedConnection } from './deletion/schemas.ts'
import { Connection, type ConnectionStatus, type KeptFacts } from './entity.ts'
import {
  clearInstalling,
  lockPins,
  lockPresent,
  markInstalling,
  selectActiveWith,
  selectCancelsWithShop,
  selectDeleted,
  selectDeletedOf,
  selectDeletedOne,
  selectForWebhooks,
  selectFound,
  selectOfIds,
  selectOldest,
  selectOldestKeys,
  selectPins,
  selectPlatformType,
  selectSellingInactive,
  selectSummaries,
  selectSummariesByCapability,
  updateKept
} from './statements.ts'

type Orm = Pick<Database, 'orm'>

type WithTexts<Row, Member extends keyof Row> = Omit<Row, Member> & Record<Member, string>

/**
 * Reads connections outside of a transaction. Every job does: MikroORM takes four times as long to
 * build the statement and its entities.
 */
export async function findConnections (query: Query, ids: readonly string[]): Promise<Connection[]> {
  return (await query<ConnectionRow>(selectOfIds, [[...new Set(ids)]])).map(connectionOf)
}

/** Returns those of some connections that go on selling what the shop switched off. */
export async function findSellingInactive (query: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await query<{ id: string }>(selectSellingInactive, [[...new Set(ids)]])
  return new Set(found.map(({ id }) => id))
}

/** Returns the first connections in the order in which they were made. */
export async function findOldestConnections (query: Query, limit: number): Promise<Connection[]> {
  return (await query<ConnectionRow>(selectOldest, [limit])).map(connectionOf)
}

type ConnectionRow =
  & Omit<WithTexts<Connection, 'createdAt' | 'updatedAt'>, 'deletedAt' | 'ordersSince'>
  & { installingUntil: string | null, ordersSince: string | null }

function connectionOf (row: ConnectionRow): Connection {
  return {
    ...row,
    installingUntil: row.installingUntil === null ? null : new Date(row.installingUntil),
    ordersSince: row.ordersSince === null ? null : new Date(row.ordersSince),
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    deletedAt: null
  }
}

/** Returns at most `limit` connections in the order in which they were created. */
export async function listConnections (
  { orm }: Orm,
  filter: { platformType?: string, status?: ConnectionStatus },
  { limit, after }: { limit: number, after: Position | undefined }
): Promise<Connection[]> {
  return orm.em.fork().find(
    Connection,
    { ...filter, deletedAt: null, ...isAfter(after) },
    { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], limit }
  )
}

/** Reads a connection in the transaction of `em`, even when it is deleted. */
export async function readConnection (em: EntityManager, id: string): Promise<Connection | null> {
  return em.findOne(Connection, { id })
}

/**
 * Reads a connection in the transaction that changes it. The row lock makes changes of one
 * connection wait for each other. Null when it is deleted, even if that happens during the wait.
 */
export async function lockConnection (em: EntityManager, id: string): Promise<Connection | null> {
  return em.findOne(Connection, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Stores a new connection at once, and with it what the transaction has not stored yet. */
export async function insertConnection (em: EntityManager, row: RequiredEntityData<Connection>): Promise<Connection> {
  const created = em.create(Connection, row)
  await em.persist(created).flush()
  // MikroORM computes a formula only when it reads a row.
  return Object.assign(created, { isMoving: false, pauses: [] })
}

/**
 * Keeps connections from being deleted until the transaction ends. Returns the ids of those that
 * exist. Call it before storing rows that the deletion of a connection would have removed.
 */
export async function holdPresent (query: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>(lockPresent, [ids])
  return new Set(rows.map(({ id }) => id))
}

/** Like `holdPresent`, but keeps them from moving, too. Returns their adapters. */
export async function holdPins (query: Query, ids: readonly string[]): Promise<ReadonlyMap<string, Pin>> {
  const rows = await query<Pin & { id: string }>(lockPins, [ids])
  return new Map(rows.map(row => [row.id, row]))
}

/** Like `holdPresent` for one connection. Throws when it does not exist. */
export async function requirePresent (query: Query, id: string): Promise<void> {
  if ((await holdPresent(query, [id])).size === 0) throw new ConnectionNotFoundException(id)
}

/** Returns those of the ids that belong to deleted connections. */
export async function findDeleted (query: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>(selectDeletedOf, [ids])
  return new Set(rows.map(({ id }) => id))
}

/** Returns at most `limit` deleted connections in the order in which they were created. */
export async function listDeleted (
  query: Query,
  { limit, after, takeOverBy }: { limit: number, after?: Position | undefined, takeOverBy?: string | undefined }
): Promise<DeletedConnection[]> {
  return query<DeletedConnection>(selectDeleted, [
    after?.createdAt ?? null,
    after?.id ?? null,
    limit,
    takeOverBy ?? null
  ])
}

/** Returns the connection with this id if it is deleted. */
export async function findDeletedOne (query: Query, id: string): Promise<DeletedConnection | undefined> {
  const [row] = await query<DeletedConnection>(selectDeletedOne, [id])
  return row
}

/** Returns the platform of a connection, even when the connection is deleted. */
export async function readPlatformType (query: Query, id: string): Promise<string> {
  const [row] = await query<{ platformType: string }>(selectPlatformType, [id])
  if (row === undefined) throw new ConnectionNotFoundException(id)
  return row.platformType
}

/** Changes members of a connection, which the transaction of `em` stores when it ends. */
export function setMembers (em: EntityManager, connection: Connection, members: Partial<Connection>): void {
  em.assign(connection, members)
}

/** A connection in a list for an operator. */
type SummaryMember = 'id' | 'name' | 'platformType' | 'status' | 'adapterKey' | 'capabilities'

export interface ConnectionSummary extends Pick<Connection, SummaryMember> {
  statusReason: string | null
  adapterVersion: string | null
}

/** Returns all connections in the order in which they were created. Needs no mapped entities. */
export async function listSummaries (query: Query): Promise<ConnectionSummary[]> {
  return query<ConnectionSummary>(selectSummaries)
}

/** Finds connections by their id or the beginning of their name. */
export async function searchConnections (query: Query, text: string, limit: number): Promise<ConnectionSummary[]> {
  const { first = null, last = null } = idsBeginningWith(text) ?? {}
  return query<ConnectionSummary>(selectFound, [text, first, limit, last])
}

/** Returns the connections that have a capability, in the order in which they were created. */
export async function listByCapability (query: Query, capability: string): Promise<ConnectionSummary[]> {
  return query<ConnectionSummary>(selectSummariesByCapability, [JSON.stringify([capability])])
}

/** An active connection, with the part of it that says who can do something for it. */
export type ActiveConnection = Pick<Connection, 'id' | 'adapterKey' | 'capabilities'>

/** Returns the active connections that have one of these capabilities. */
export async function listActiveWith (query: Query, capabilities: readonly string[]): Promise<ActiveConnection[]> {
  return query<ActiveConnection>(selectActiveWith, [capabilities])
}

/** Counts the connections of each adapter key and version. */
export async function countPins (query: Query): Promise<Pinned[]> {
  return query<Pinned>(selectPins)
}

/** Returns the adapter key of the oldest connection of each platform. */
export async function readOldestKeys (query: Query): Promise<ReadonlyMap<string, string>> {
  const rows = await query<{ platformType: string, adapterKey: string }>(selectOldestKeys)
  return new Map(rows.map(({ platformType, adapterKey }) => [platformType, adapterKey]))
}

/**
 * Stores facts of an adapter with all connections of a key and version that keep others. Returns
 * how many those are.
 */
export async function writeKept (
  query: Query,
  { adapterKey, adapterVersion }: Pick<Pinned, 'adapterKey' | 'adapterVersion'>,
  { webhookScheme, webhookEvents, webhookBody, webhookRules, secretMembers }: KeptFacts
): Promise<number> {
  const jsonOf = (value: unknown): string | null => value === null ? null : JSON.stringify(value)
  const rows = await query(updateKept, [
    adapterKey,
    adapterVersion,
    webhookScheme,
    jsonOf(webhookEvents),
    jsonOf(webhookBody),
    jsonOf(webhookRules),
    jsonOf(secretMembers)
  ])
  return rows.length
}

/** Reads connections as the gate sees them. */
export async function readWebhookConnections (query: Query, ids: readonly string[]): Promise<WebhookConnection[]> {
  return query<WebhookConnection>(selectForWebhooks, [ids])
}

/**
 * Marks that an install of a connection runs, for `leaseMs`. Returns the mark, or undefined when
 * another install runs.
 */
export async function markInstallRunning (
  query: Query,
  connectionId: string,
  leaseMs: number
): Promise<string | undefined> {
  const [row] = await query<{ mark: string }>(markInstalling, [connectionId, leaseMs])
  return row?.mark
}

/** Removes the mark of an install, unless another install has set its own meanwhile. */
export async function clearInstallRunning (query: Query, connectionId: string, mark: string): Promise<void> {
  await query(clearInstalling, [connectionId, mark])
}

/** Whether the hub cancels orders at a marketplace when the shop cancels them. */
export async function isCancellingWithShop (query: Query, id: string): Promise<boolean> {
  const [row] = await query<{ isWanted: boolean | null }>(selectCancelsWithShop, [id])
  return row?.isWanted === true
}
