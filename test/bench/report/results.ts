import type { Machine, Spread } from './figures.ts'

/** A column of the table: its heading, with the unit, and how many digits follow the point. */
export interface Column {
  heading: string
  digits?: number
}

export interface Row {
  title: string
  /** A limit shows what the parts can do without the hub. */
  kind: 'hub' | 'limit'
  figures: Readonly<Partial<Record<string, Spread>>>
  /** How often the row was measured, when it was not as often as the results say. */
  runs?: number
  /** The main figure of this row, as a share of that of the row with this title. */
  compared?: { with: string, share: number }
}

/** The content of a file with results. */
export interface Results {
  name: string
  title: string
  method: string
  measuredAt: string
  runs: number
  machine: Machine
  columns: Readonly<Record<string, Column>>
  main: string
  rows: readonly Row[]
}

/** The title of a row as a table or a chart shows it. */
export function titleOf ({ title, runs }: Row): string {
  return runs === 1 ? `${title} (once)` : title
}

/** How often the rows were measured, as words that begin a sentence. */
export function describeRuns ({ runs, rows }: Pick<Results, 'runs' | 'rows'>): string {
  if (rows.length > 0 && rows.every(row => row.runs === 1)) return 'Measured once'
  return rows.some(row => row.runs === 1) ? `Median of ${runs} where not once` : `Median of ${runs}`
}
