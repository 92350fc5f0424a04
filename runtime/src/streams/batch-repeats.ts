import { isInfrastructureError } from '../database/infrastructure-error.ts'
import type { StreamLog } from './port.ts'

/**
 * Runs one statement for all items. When the content of one item breaks the statement, runs each
 * item alone, so that only that item fails.
 */
export function oneByOneOnError<Item, Result> (
  run: (items: readonly Item[]) => Promise<Result[]>,
  log: StreamLog
): (items: readonly Item[]) => Promise<(Result | Error)[]> {
  return async items => {
    try {
      return await run(items)
    } catch (error) {
      if (items.length === 1 || isInfrastructureError(error)) throw error
      log.warn(
        { err: error, items: items.length },
        'a statement failed because of one of its messages; the hub sends each message alone'
      )
    }
    const results: (Result | Error)[] = []
    for (const item of items) {
      results
        .push(...await run([item]).catch(
          (error: unknown) => [error instanceof Error ? error : new Error(String(error))]
        ))
    }
    return results
  }
}

/** Runs again the items whose first result is not final, and puts their new results in place. */
export async function repeat<Item, Result> (
  items: readonly Item[],
  results: readonly Result[],
  isOpen: (index: number, result: Result) => boolean,
  run: (items: readonly Item[]) => Promise<Result[]>
): Promise<Result[]> {
  const open = items.filter((_, index) => {
    const result = results[index]
    return result !== undefined && isOpen(index, result)
  })
  if (open.length === 0) return [...results]
  const replaced = new Map((await run(open)).map((result, index) => [open[index], result]))
  return results.map((result, index) => replaced.get(items[index]) ?? result)
}
