import { isUniqueViolation, repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Transaction } from '../../database/database.ts'

const mostTries = 10

/**
 * Changes jobs in one transaction. Tries again when another transaction stored a job of the same
 * object in between.
 */
export async function inOneTransaction<Result> (
  database: Database,
  work: (transaction: Transaction) => Promise<Result>
): Promise<Result> {
  for (let tries = 1;; tries++) {
    try {
      return await repeatOnConflict(() => database.transaction(work))
    } catch (error) {
      if (tries === mostTries || !isUniqueViolation(error)) throw error
    }
  }
}

/** Changes jobs in the same way, then wakes the workers. */
export async function inOneOperation (
  database: Database,
  work: (transaction: Transaction) => Promise<void>
): Promise<void> {
  await inOneTransaction(database, work)
  database.notify('jobs')
}
