import type { Database } from '../../src/database/database.ts'

/** Returns a database that calls `before` ahead of each statement. */
export function watchStatements (database: Database, before: (statement: number) => Promise<void> | void): Database {
  let statements = 0
  async function announce (): Promise<void> {
    statements += 1
    await before(statements)
  }
  return {
    ...database,
    async query (text, values) {
      await announce()
      return database.query(text, values)
    },
    transaction: work =>
      database.transaction(transaction =>
        work({
          ...transaction,
          async query (text, values) {
            await announce()
            return transaction.query(text, values)
          }
        })
      )
  }
}

/** SQL: the problems of an order or an offer as people read them. */
export const problemDetails = "jsonb_path_query_array(problems, '$[*].detail') as problems"
