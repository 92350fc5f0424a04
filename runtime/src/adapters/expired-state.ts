import type { Query } from '../database/database.ts'

const mostInOneStatement = 1_000

/**
 * Removes values that have expired and locks that have lapsed, which nobody reads any more, a
 * thousand at a time. Answers how many.
 */
export async function removeExpiredState (query: Query): Promise<number> {
  return await remove(query, valuesStatement) + await remove(query, locksStatement)
}

/** Likewise flows: apart, because what they hold must not outlive its time by an hour. */
export async function removeExpiredFlows (query: Query): Promise<number> {
  return remove(query, flowsStatement)
}

async function remove (query: Query, statement: string): Promise<number> {
  let total = 0
  for (let removed = mostInOneStatement; removed === mostInOneStatement;) {
    removed = (await query(statement, [mostInOneStatement])).length
    total += removed
  }
  return total
}

// What is locked is being written again, or removed by another process: it is no longer expired
// when the lock is free.
const valuesStatement = `
  delete from connection_values where (connection_id, key) in (
    select connection_id, key from connection_values where expires_at <= now() order by expires_at limit $1 for update skip locked)
  returning true as removed`

const locksStatement = `
  delete from connection_locks where (connection_id, name) in (
    select connection_id, name from connection_locks where lapses_at <= now() limit $1 for update skip locked)
  returning true as removed`

const flowsStatement = `
  delete from flows where state_hash in (
    select state_hash from flows where expires_at <= now() order by expires_at limit $1 for update skip locked)
  returning true as removed`
