import { currentActor } from '../../audit/actor.ts'
import type { Query } from '../../database/database.ts'
import { releasePause, setPause } from '../../jobs/holds/store.ts'
import { pausedError } from './refuse-paused.ts'
import type { Pause } from './schemas.ts'
import { deletePause, selectIsAhead, selectPauses, upsertPause } from './statements.ts'

/** The pauses of a connection that stand. */
export async function readPauses (query: Query, connectionId: string): Promise<Pause[]> {
  const [row] = await query<{ pauses: Pause[] }>(selectPauses, [connectionId])
  return row?.pauses ?? []
}

/** The end and the reason of a pause. */
export interface PauseTerms {
  reason: string | null
  /** Null: until somebody ends it. */
  until: string | null
}

/**
 * Pauses a connection, or one capability of it, and with it the jobs that need it. Changes the
 * pause that stands.
 */
export async function storePause (
  query: Query,
  connectionId: string,
  capability: string | null,
  { reason, until }: PauseTerms
): Promise<void> {
  const { kind, name, tokenId } = currentActor()
  const part = capability ?? ''
  await query(upsertPause, [connectionId, part, reason, until, JSON.stringify({ kind, name, tokenId })])
  const { message } = pausedError(connectionId, { capability, reason, until })
  await setPause(query, { groupId: connectionId, part }, { until, message })
}

/** Ends a pause. The jobs that wait for it go on. */
export async function removePause (query: Query, connectionId: string, capability: string | null): Promise<void> {
  const part = capability ?? ''
  await query(deletePause, [connectionId, part])
  await releasePause(query, { groupId: connectionId, part })
}

/** Whether a time is in the future, by the clock of the database, which ends the pauses. */
export async function isAhead (query: Query, time: string): Promise<boolean> {
  const [row] = await query<{ isAhead: boolean }>(selectIsAhead, [time])
  return row?.isAhead === true
}
