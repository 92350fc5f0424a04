import type { AwayAdapter, ServingProcess } from '../adapters/away-adapters.ts'
import type { OpeningProcess, UnreadableKey } from '../credentials/rewrap/unreadable-keys.ts'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { WorkerAbsence } from '../jobs/worker-absence.ts'
import { findMixedStreams, type MixedStreams } from '../streams/mixed-streams.ts'
import type { LogLevelName, ProcessView } from './schemas.ts'
import {
  deleteLogLevel,
  deleteProcess,
  selectAway,
  selectLogLevel,
  selectProcesses,
  selectUnreadable,
  selectWorkerAbsence,
  updateStopped,
  upsertLogLevel,
  upsertProcess
} from './statements.ts'

export interface RunningProcess extends Pick<ProcessView, 'id' | 'role' | 'mode' | 'version' | 'host' | 'pid'> {
  startedAt: Date
}

export interface ProcessFaults {
  /** The adapters that do not serve in it. */
  adaptersAway: readonly AwayAdapter[]
  /** The keys of stored secrets that it cannot open. */
  unreadableKeys: readonly UnreadableKey[]
}

/** Notes that a process lives now, and what does not work in it. */
export async function noteAlive (query: Query, process: RunningProcess, faults: ProcessFaults): Promise<void> {
  const { id, role, mode, version, host, pid, startedAt } = process
  await query(upsertProcess, [
    id,
    role,
    version,
    host,
    pid,
    startedAt,
    toStorableJson(faults.adaptersAway),
    toStorableJson(faults.unreadableKeys),
    mode
  ])
}

export async function removeProcess (query: Query, id: string): Promise<void> {
  await query(deleteProcess, [id])
}

/** Notes that a process has stopped, and keeps since when. */
export async function noteStopped (query: Query, id: string): Promise<void> {
  await query(updateStopped, [id])
}

/** Says that no process has run jobs for some seconds; undefined while one does, or may. */
export async function readWorkerAbsence (query: Query, seconds: number): Promise<WorkerAbsence | undefined> {
  const [row] = await query<WorkerAbsence>(selectWorkerAbsence, [seconds])
  return row
}

/** Returns the processes that were alive within the last minute. */
export async function listProcesses (query: Query): Promise<Omit<ProcessView, 'answers'>[]> {
  return query(selectProcesses)
}

/** Returns the processes that are alive when they do not all use the same streams. */
export async function readMixedStreams (query: Query): Promise<MixedStreams | undefined> {
  return findMixedStreams(await listProcesses(query))
}

/** Returns the processes that were alive within the last minute, as they said it then. */
export async function listAway (query: Query): Promise<(ServingProcess & Pick<ProcessView, 'id'>)[]> {
  return query(selectAway)
}

/** Returns the processes that were alive within the last minute, as they said it then. */
export async function listUnreadable (query: Query): Promise<(OpeningProcess & Pick<ProcessView, 'id'>)[]> {
  return query(selectUnreadable)
}

/** A level that holds for a while. */
export interface PresentLevel {
  level: LogLevelName
  /** ISO 8601. */
  until: string
  restMs: number
}

export async function readLogLevel (query: Query): Promise<PresentLevel | undefined> {
  const [row] = await query<PresentLevel>(selectLogLevel)
  return row
}

export async function storeLogLevel (query: Query, level: LogLevelName, minutes: number): Promise<void> {
  await query(upsertLogLevel, [level, minutes])
}

export async function removeLogLevel (query: Query): Promise<void> {
  await query(deleteLogLevel)
}

/** Whether a process of this database has the id. */
export async function isProcess (query: Query, id: string): Promise<boolean> {
  return (await query('select from processes where id = $1', [id])).length > 0
}
