import { countRows } from '../../database/count-rows.ts'
import type { Query } from '../../database/database.ts'
import type { JobRecord } from '../job.ts'
import { countWithTexts, selectUnended, updateTexts } from './statements.ts'

/** A command that has not ended, with the key of its object. */
export type UnendedCommand = Pick<JobRecord, 'id' | 'jobType' | 'objectKey'>

/** Returns one command for each of the objects that has a command that has not ended. */
export async function findUnendedCommands (query: Query, objectKeys: readonly string[]): Promise<UnendedCommand[]> {
  return query<UnendedCommand>(selectUnended, [objectKeys])
}

/** Returns how many ended jobs about these objects still have texts of platforms. */
export async function countJobsWithTexts (query: Query, objectKeys: readonly string[]): Promise<number> {
  return countRows(query, countWithTexts, [objectKeys])
}

/**
 * Removes the texts of platforms from the ended jobs about these objects: results, messages, and
 * members of payloads that others sent. Outcomes, times and codes stay.
 */
export async function removeTexts (query: Query, objectKeys: readonly string[]): Promise<void> {
  await query(updateTexts, [objectKeys])
}
