import type { Query } from '../database/database.ts'
import { removeInSteps } from '../database/remove-in-steps.ts'

/**
 * Removes values that have expired and locks that have lapsed, which nobody reads any more. Answers
 * how many.
 */
export async function removeExpiredState (query: Query): Promise<number> {
  return await removeInSteps(query, valuesStatement) + await removeInSteps(query, locksStatement)
}

// Skip locked rows: another process is writing or removing them, and they are no longer expired
// when the lock is free.
const valuesStatement = `
  delete from connection_values where (connection_id, key) in (
    select connection_id, key
      from connection_values
      where expires_at <= now()
      order by expires_at
      limit $1
      for update skip locked)
  returning true as removed`

const locksStatement = `
  delete from connection_locks where (connection_id, name) in (
    select connection_id, name from connection_locks where lapses_at <= now() limit $1 for update skip locked)
  returning true as removed`
