import type { Query } from './database.ts'

const mostInOneStatement = 1_000

interface Steps {
  /** Rows of one statement. Default: a thousand, so that no statement holds locks for long. */
  limit?: number
  /** The values of `$2` and those after it. */
  values?: readonly unknown[]
}

/**
 * Runs a statement that deletes at most `$1` rows and returns one row for each, until fewer are
 * left or the signal is aborted. Returns how many rows it deleted.
 */
export async function removeInSteps (
  query: Query,
  statement: string,
  signal?: AbortSignal,
  { limit = mostInOneStatement, values = [] }: Steps = {}
): Promise<number> {
  let total = 0
  for (let removed = limit; removed === limit && signal?.aborted !== true;) {
    removed = (await query(statement, [limit, ...values])).length
    total += removed
  }
  return total
}
