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
