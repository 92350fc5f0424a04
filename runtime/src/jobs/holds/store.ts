import type { Query } from '../../database/database.ts'
import type { HoldReason } from './entity.ts'
import {
  deleteHold,
  deleteHolds,
  deleteLapsingHold,
  deletePause,
  extendHold,
  insertHold,
  insertLapsingHold,
  releaseAllWaiting,
  releaseWaiting,
  updateWaiting,
  upsertPause
} from './statements.ts'

/**
 * The time at which a hold lapses, as the database wrote it. It identifies the hold: a process with
 * an older mark can neither renew nor end it.
 */
export type HoldMark = string

/** Holds a group until it is released, or releases it. */
export async function setHold (query: Query, groupId: string, reason: HoldReason, isWanted: boolean): Promise<void> {
  await query(isWanted ? insertHold : deleteHold, [groupId, reason])
}

/**
 * Holds a group for a time, because the process that asks for it may die. Returns the mark of the
 * hold, or undefined when another one for this reason stands.
 */
export async function holdFor (
  query: Query,
  groupId: string,
  reason: HoldReason,
  milliseconds: number
): Promise<HoldMark | undefined> {
  return markOf(await query<Marked>(insertLapsingHold, [groupId, reason, milliseconds]))
}

/**
 * Lets a hold stand for a time from now on. Returns its new mark, or undefined when it has lapsed.
 */
export async function renewHold (
  query: Query,
  groupId: string,
  reason: HoldReason,
  mark: HoldMark,
  milliseconds: number
): Promise<HoldMark | undefined> {
  return markOf(await query<Marked>(extendHold, [groupId, reason, mark, milliseconds]))
}

/**
 * Ends a hold that lapses. Returns whether it was there. With `leftMs` it ends only a hold that
 * would have stood that much longer: the caller still has to commit what the hold protects.
 */
export async function endHold (
  query: Query,
  groupId: string,
  reason: HoldReason,
  mark: HoldMark,
  leftMs?: number
): Promise<boolean> {
  const ended = await query(deleteLapsingHold, [groupId, reason, mark, leftMs ?? null])
  return ended.length > 0
}

/** A part of a group that can be paused; the empty part is the whole group. */
export interface GroupPart {
  groupId: string
  part: string
}

/** How long a part of a group is paused, and what its jobs say while they wait. */
export interface PartPause {
  /** Null: until somebody releases it. */
  until: string | null
  message: string
}

/**
 * Pauses a part of a group until a time, or until it is released. Changes the pause that stands:
 * the jobs that wait for it are due at the new end, and their problems have the new message.
 */
export async function setPause (
  query: Query,
  { groupId, part }: GroupPart,
  { until, message }: PartPause
): Promise<void> {
  await query(upsertPause, [groupId, part, until])
  await query(updateWaiting, [groupId, part, until, message])
}

/** Ends the pause of a part of a group. The jobs that wait for it are due at once. */
export async function releasePause (query: Query, { groupId, part }: GroupPart): Promise<void> {
  await query(deletePause, [groupId, part])
  // A second statement: it must see the jobs that were put back while the first one waited.
  await query(releaseWaiting, [groupId, [part]])
}

/** Makes the jobs due at once that wait for one of these parts of a group. */
export async function releaseAwaiting (query: Query, groupId: string, parts: readonly string[]): Promise<void> {
  await query(releaseWaiting, [groupId, parts])
}

/**
 * Releases a group for good, whatever it is held for. Jobs of other groups that wait for a paused
 * part of it are due at once.
 */
export async function releaseGroup (query: Query, groupId: string): Promise<void> {
  await query(deleteHolds, [groupId])
  await query(releaseAllWaiting, [groupId])
}

interface Marked {
  mark: HoldMark
}

function markOf ([row]: readonly Marked[]): HoldMark | undefined {
  return row?.mark
}
