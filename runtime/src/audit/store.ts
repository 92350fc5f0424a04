import { v7 } from 'uuid'
import { countRows } from '../database/count-rows.ts'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { Position } from '../http/paging.ts'
import type { AuditAction } from './actions.ts'
import { currentActor, markRecorded } from './actor.ts'
import type { MemberChange } from './list-changes.ts'
import type { AuditView } from './schemas.ts'
import { countOfConnection, deleteOldEntries, insertEntry, selectEntries } from './statements.ts'

export interface Change {
  action: AuditAction
  connectionId?: string | undefined
  objectId?: string | undefined
  objectName?: string | undefined
  /** Absent: the change has no members to show, such as new credentials. Empty: nothing changed. */
  changes?: readonly MemberChange[]
}

/**
 * Records a change of the present actor. Call it in the transaction of the change, so that neither
 * is ever stored without the other.
 */
export async function recordChange (query: Query, change: Change): Promise<void> {
  markRecorded()
  const { action, connectionId, objectId, objectName, changes } = change
  if (changes?.length === 0) return
  const { kind, name, tokenId, requestId } = currentActor()
  await query(insertEntry, [
    // Ids of this version grow, so entries of the same millisecond keep their order.
    v7(),
    kind,
    name,
    tokenId,
    requestId,
    action,
    connectionId ?? null,
    objectId ?? null,
    objectName ?? null,
    toStorableJson(changes ?? [])
  ])
}

export interface EntryFilter {
  connectionId?: string | undefined
  actor?: string | undefined
  action?: string | undefined
  objectId?: string | undefined
  since?: string | undefined
  after?: Position | undefined
  limit: number
}

/** Entries, newest first. */
export async function listEntries (
  query: Query,
  { connectionId, actor, action, objectId, since, after, limit }: EntryFilter
): Promise<AuditView[]> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    ...(connectionId === undefined ? [] : [`connection_id = ${value(connectionId)}`]),
    ...(actor === undefined ? [] : [`actor_name = ${value(actor)}`]),
    ...(action === undefined ? [] : [`action = ${value(action)}`]),
    ...(objectId === undefined ? [] : [`object_id = ${value(objectId)}`]),
    ...(since === undefined ? [] : [`at >= ${value(since)}`]),
    ...(after === undefined ? [] : [`(at, id) < (${value(after.createdAt)}, ${value(after.id)})`])
  ]
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return query<AuditView>(`${selectEntries} ${where} order by at desc, id desc limit ${value(limit)}`, values)
}

/** Returns how many entries name a connection. */
export async function countEntries (query: Query, connectionId: string): Promise<number> {
  return countRows(query, countOfConnection, [connectionId])
}

/** Removes some entries made before `before`. Returns how many. */
export async function removeOldEntries (query: Query, before: Date, limit: number): Promise<number> {
  return (await query(deleteOldEntries, [before, limit])).length
}
