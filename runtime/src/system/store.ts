import type { Query } from '../database/database.ts'
import type { LogLevelName, ProcessView } from './schemas.ts'
import {
  deleteLogLevel,
  deleteProcess,
  selectLogLevel,
  selectProcesses,
  upsertLogLevel,
  upsertProcess
} from './statements.ts'

export interface RunningProcess extends Pick<ProcessView, 'id' | 'role' | 'version' | 'host' | 'pid'> {
  startedAt: Date
}

/** Notes that a process lives now. */
export async function noteAlive (query: Query, process: RunningProcess): Promise<void> {
  const { id, role, version, host, pid, startedAt } = process
  await query(upsertProcess, [id, role, version, host, pid, startedAt])
}

export async function removeProcess (query: Query, id: string): Promise<void> {
  await query(deleteProcess, [id])
}

/** Returns the processes that were alive within the last minute. */
export async function listProcesses (query: Query): Promise<Omit<ProcessView, 'answers'>[]> {
  return query(selectProcesses)
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
