import type { Query } from '../database/database.ts'
import { removeInSteps } from '../database/remove-in-steps.ts'
import type { Counted } from './counting.ts'
import {
  claimSample,
  deleteOldFigures,
  deleteOldSamples,
  deleteSamplesAt,
  insertFigures,
  insertSamples,
  mergeFigures,
  mergeSamples,
  selectCounts,
  selectHubSamples,
  selectSamplesOf
} from './statements.ts'

/** A row of what was counted. `beginsAt`: the beginning of the minute, ISO 8601. */
export interface NewFigure extends Counted {
  beginsAt: string
}

/** Stores all rows or none. */
export async function storeFigures (query: Query, process: string, rows: readonly NewFigure[]): Promise<void> {
  await query(insertFigures, [JSON.stringify(rows), process])
}

const mostMerged = 10_000

/** Merges the minutes before an hour to hours, step by step, until the signal is aborted. */
export async function mergeMinutes (query: Query, before: Date, signal?: AbortSignal): Promise<void> {
  for (const statement of [mergeFigures, mergeSamples]) {
    for (let merged = 1; merged > 0 && signal?.aborted !== true;) {
      const [row] = await query<{ merged: number }>(statement, [before, mostMerged])
      merged = row?.merged ?? 0
    }
  }
}

/** Removes hours that began more than 90 days ago. */
export async function removeOldHours (query: Query, signal?: AbortSignal): Promise<void> {
  await removeInSteps(query, deleteOldFigures, signal)
  await removeInSteps(query, deleteOldSamples, signal)
}

/** Slots of `step` seconds from one time to another. Of one connection, or of the whole hub. */
export interface Slots {
  from: Date
  to: Date
  step: number
  connectionId: string | undefined
}

/** How often something was counted in a slot. `at`: its beginning, in seconds since 1970. */
export interface SlotCount {
  at: number
  name: string
  total: number
}

export async function readCounts (query: Query, { from, to, step, connectionId }: Slots): Promise<SlotCount[]> {
  return connectionId === undefined
    ? query<SlotCount>(selectCounts(undefined), [from, to, step])
    : query<SlotCount>(selectCounts('$4'), [from, to, step, connectionId])
}

/** The live jobs and the drift. Drift is null when nobody counted it. */
export interface Gauges {
  queued: number
  waiting: number
  running: number
  oldestSeconds: number
  drift: number | null
}

/** The most of each gauge in a slot. `at`: its beginning, in seconds since 1970. */
export interface SlotGauges extends Gauges {
  at: number
}

export async function readSamples (query: Query, { from, to, step, connectionId }: Slots): Promise<SlotGauges[]> {
  return connectionId === undefined
    ? query<SlotGauges>(selectHubSamples, [from, to, step])
    : query<SlotGauges>(selectSamplesOf, [from, to, step, connectionId])
}

/** The minute whose sample this process takes. */
export interface SampleClaim {
  beginsAt: string
  isDriftWanted: boolean
}

/**
 * Claims the sample of the present minute until the end of the transaction. Undefined: another
 * process has it, or took it. No statement of the transaction may then take longer than 2 s.
 */
export async function takeSample (query: Query): Promise<SampleClaim | undefined> {
  await query('set local statement_timeout = 2000')
  const [claim] = await query<SampleClaim>(claimSample)
  return claim
}

export interface NewSample extends Gauges {
  connectionId: string | null
}

export async function storeSamples (query: Query, beginsAt: string, samples: readonly NewSample[]): Promise<void> {
  await query(insertSamples, [JSON.stringify(samples), beginsAt])
}

/** Removes what was stored of a minute, in the caller's transaction, to store it anew. */
export async function removeSamples (query: Query, beginsAt: string): Promise<void> {
  await query(deleteSamplesAt, [beginsAt])
}
