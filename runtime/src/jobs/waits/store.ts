import type { Query } from '../../database/database.ts'
import type { JobRecord } from '../job.ts'
import type { Wait } from './explain-wait.ts'
import { selectWaits } from './statements.ts'

interface WaitRow extends Omit<Wait, 'holds'> {
  id: string
  holds: Wait['holds'] | null
}

/** Reads what keeps jobs from running, by their ids. Those that run or have ended are left out. */
export async function readWaits (
  query: Query,
  jobs: readonly Pick<JobRecord, 'id' | 'status'>[]
): Promise<ReadonlyMap<string, Wait>> {
  const ids = jobs.filter(({ status }) => status === 'queued' || status === 'waiting').map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await query<WaitRow>(selectWaits, [ids])
  return new Map(rows.map(({ id, holds, ...wait }) => [id, { ...wait, holds: holds ?? [] }]))
}
