import { countRows } from '../database/count-rows.ts'
import type { Query } from '../database/database.ts'
import { mayIdle } from '../database/session.ts'
import { tablesOfNewHub, tablesOfTarget } from './plan.ts'
import {
  beginSnapshot,
  closeRows,
  declareRows,
  deleteRows,
  fetchRows,
  insertRows,
  selectColumns,
  selectDatabaseBytes,
  selectIsFilled,
  selectReferences,
  selectRunningHubs,
  selectSequenceState,
  selectSequences,
  setSequence,
  type Column
} from './statements.ts'

export type { Column } from './statements.ts'

export interface Table {
  name: string
  columns: readonly Column[]
}

/** The values of a row in the text form of PostgreSQL. */
export type Row = readonly (string | null)[]

/** Rows of one read. A row may have a quarter of a megabyte. */
const fetchCount = 250

export async function startTransaction (query: Query): Promise<void> {
  await query('begin')
}

export async function commit (query: Query): Promise<void> {
  await query('commit')
}

export async function rollBack (query: Query): Promise<void> {
  await query('rollback')
}

/** Lets the open transaction wait for the archive as long as it takes. */
export async function waitForArchive (query: Query): Promise<void> {
  await query(mayIdle)
}

/** Makes the open transaction a snapshot. Must come before its first statement. */
export async function begin (query: Query): Promise<void> {
  for (const statement of beginSnapshot) await query(statement)
}

/**
 * All tables but those that the target has itself. A table comes after those that it refers to.
 */
export async function readTables (query: Query): Promise<Table[]> {
  const columns = await query<Column & { table: string }>(selectColumns)
  const references = await query<{ child: string, parent: string }>(selectReferences)
  const byName = Map.groupBy(columns, ({ table }) => table)
  for (const name of tablesOfTarget) byName.delete(name)
  const parentsOf = Map.groupBy(references, ({ child }) => child)
  const sorted = new Map<string, Table>()

  function add (name: string, path: readonly string[]): void {
    const found = byName.get(name)
    if (found === undefined || sorted.has(name) || path.includes(name)) return
    for (const { parent } of parentsOf.get(name) ?? []) add(parent, [...path, name])
    sorted.set(name, { name, columns: found.map(({ name: column, type }) => ({ name: column, type })) })
  }

  for (const name of byName.keys()) add(name, [])
  return [...sorted.values()]
}

/** Reads rows as lines, each a JSON array of texts, in an open transaction. */
export async function* readLines (
  query: Query,
  table: string,
  columns: readonly string[],
  condition?: string
): AsyncGenerator<string[]> {
  await query(declareRows(table, columns, condition))
  while (true) {
    const rows = await query<{ line: string }>(fetchRows(fetchCount))
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < fetchCount) break
  }
  await query(closeRows)
}

/** Reads the state of each sequence: its name, its last value, and whether this was given out. */
export async function readSequences (query: Query): Promise<string[][]> {
  const states: string[][] = []
  for (const { name } of await query<{ name: string }>(selectSequences)) {
    const [state] = await query<{ lastValue: string, isCalled: string }>(selectSequenceState(name))
    if (state !== undefined) states.push([name, state.lastValue, state.isCalled])
  }
  return states
}

export async function insert (
  query: Query,
  { name, columns }: Table,
  rows: readonly Row[],
  isRepeatable = false
): Promise<void> {
  const statement = insertRows(name, columns, isRepeatable ? 'on conflict do nothing' : '')
  await query(statement, columns.map((_, index) => rows.map(row => row[index])))
}

export async function continueSequence (query: Query, state: Row): Promise<void> {
  await query(setSequence, state)
}

/** Returns the names of the tables that have rows. Leaves out those that a new hub fills itself. */
export async function findFilledTables (query: Query): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of await readTables(query)) {
    if (!tablesOfNewHub.includes(name) && await hasRows(query, name)) filled.push(name)
  }
  return filled
}

/** Deletes the rows that a new hub wrote by itself. */
export async function clearTablesOfNewHub (query: Query): Promise<void> {
  for (const { name } of await readTables(query)) {
    if (tablesOfNewHub.includes(name)) await query(deleteRows(name))
  }
}

export async function hasRows (query: Query, table: string): Promise<boolean> {
  const [row] = await query<{ isFilled: boolean }>(selectIsFilled(table))
  return row?.isFilled === true
}

/** Counts the hubs that are connected to the database of a server. */
export async function countHubs (query: Query): Promise<number> {
  return countRows(query, selectRunningHubs)
}

export async function readDatabaseBytes (query: Query): Promise<number> {
  const [row] = await query<{ bytes: number }>(selectDatabaseBytes)
  return row?.bytes ?? 0
}
