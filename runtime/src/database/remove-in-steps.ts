import type { Query } from './database.ts'

const mostInOneStatement = 1_000

/**
 * Runs a statement that deletes at most `$1` rows and returns one row for each, until fewer are
 * left or the signal is aborted. Deletes a thousand rows at a time, so that no statement holds
 * locks for long. Returns how many rows it deleted.
 */
export async function removeInSteps (query: Query, statement: string, signal?: AbortSignal): Promise<number> {
  let total = 0
  for (let removed = mostInOneStatement; removed === mostInOneStatement && signal?.aborted !== true;) {
    removed = (await query(statement, [mostInOneStatement])).length
    total += removed
  }
  return total
}
