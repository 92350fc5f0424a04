import type { SchemaProblem } from '@linker/sdk/host'
import type { Query } from '../../database/database.ts'
import type { Connection } from '../entity.ts'

type Count = (query: Query, connectionId: string) => Promise<number>

/** Rows that stay when their connection is deleted. */
export interface Kept {
  /** Names the rows to an operator. */
  what: string
  count: Count
}

/** Rows that are removed together with their connection. */
export interface Belonging extends Kept {
  /** Removes the rows in the transaction that deletes the connection. */
  remove(query: Query, connectionId: string): Promise<void>
}

/** Returns how other connections use this one. Each use keeps it from being deleted. */
export type FindUses = (query: Query, connectionId: string) => Promise<SchemaProblem[]>

/** The orders that still need a connection. */
export interface OpenOrders {
  count: Count
  /** Returns the ids of the first ones. */
  first(query: Query, connectionId: string): Promise<string[]>
  /** Notes on each of them, and in its history, that the connection is gone. */
  note(query: Query, connection: Pick<Connection, 'id' | 'name'>): Promise<void>
}

/**
 * The rows of a connection in the tables of higher folders. The deletion calls these functions,
 * because only the folder that owns a table changes it. docs/connections.md says of each table why
 * its rows go or stay.
 */
export interface Belongings {
  /** In the order of their removal: rows that refer to others go first. */
  removed: readonly Belonging[]
  kept: readonly Kept[]
  uses: readonly FindUses[]
  openOrders: OpenOrders
}
