import type { Log } from './context.ts'

export interface RowsOptions {
  log: Log
  /** The name of a row, for the log: `an offer`. */
  what: string
  /** The member of a row that names it in the log. Default `id`. */
  id?: string
}

/**
 * Reads the rows of a list. Leaves out a row whose `read` throws, and logs its id and the reason:
 * one strange row must not hide all others from the hub.
 */
export function readRows<Item> (
  rows: readonly unknown[],
  read: (row: unknown) => Item,
  { log, what, id = 'id' }: RowsOptions
): Item[] {
  return rows.flatMap(row => {
    try {
      return [read(row)]
    } catch (error) {
      log.warn(
        { externalId: memberOf(row, id), reason: error instanceof Error ? error.message : '' },
        `${what} that cannot be read is left out of the list`
      )
      return []
    }
  })
}

function memberOf (row: unknown, name: string): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined
}
