import { isUniqueViolation, repeatOnConflict } from '../../database/conflict.ts'
import type { Database, Transaction } from '../../database/database.ts'

const mostTries = 10

/**
 * Changes jobs in one transaction, then wakes the workers. Tries again when another transaction
 * stored a job of the same object in between.
 */
export async function inOneOperation (
  database: Database,
  work: (transaction: Transaction) => Promise<void>
): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      await repeatOnConflict(() => database.transaction(work))
      database.notify('jobs')
      return
    } catch (error) {
      if (tries === mostTries || !isUniqueViolation(error)) throw error
    }
  }
}
