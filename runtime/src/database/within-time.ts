import type { Query, Transaction } from './database.ts'

/** SQLSTATE of a statement that the server broke off. */
const brokenOff = '57014'

/** A database whose transactions only run statements. */
export interface Transacting {
  transaction<Result>(work: (transaction: Pick<Transaction, 'query'>) => Promise<Result>): Promise<Result>
}

/**
 * Runs statements that only read, each for at most `ms`. A statement that takes longer fails, and
 * `isTooSlow` knows its error. The embedded database has no such limit.
 */
export async function withinTime<Result> (
  database: Transacting,
  ms: number,
  work: (query: Query) => Promise<Result>
): Promise<Result> {
  return database.transaction(async ({ query }) => {
    await query(`set local statement_timeout = ${Math.ceil(ms)}`)
    return work(query)
  })
}

/** Whether PostgreSQL broke off a statement, because it took longer than it may. */
export function isTooSlow (error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === brokenOff
}
