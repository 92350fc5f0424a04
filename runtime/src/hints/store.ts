import type { Query } from '../database/database.ts'
import { selectChanges } from './statements.ts'

/** How many rows were ever changed in tables, by their names. */
export async function readChanges (query: Query, tables: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ name: string, changes: string }>(selectChanges, [tables])
  return new Map(rows.map(({ name, changes }) => [name, changes]))
}
