import type { Database, Query } from './database.ts'

/** SQLSTATE of a statement that the server broke off. */
const brokenOff = '57014'

/**
 * Runs statements that only read, each for at most `ms`. A statement that takes longer fails, and
 * `isTooSlow` knows its error. The embedded database has no such limit.
 */
export async function withinTime<Result> (
  database: Pick<Database, 'transaction'>,
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
