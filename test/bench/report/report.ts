import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drawChart } from './chart.ts'
import { readMachine, spreadOf, type Figures, type Spread, type Spreads } from './figures.ts'
import { titleOf, type Column, type Results, type Row } from './results.ts'

export interface ReportOptions<Name extends string> {
  /** The name of the files with the results, such as `jobs-full`. */
  name: string
  title: string
  /** One sentence: what happens in a run. */
  method: string
  /** How often each row is measured. The files are written from three on. */
  runs: number
  columns: Readonly<Record<Name, Column>>
  /** The column that the chart draws and that rows are compared by. */
  main: NoInfer<Name>
}

export interface Report<Name extends string> {
  /** Prints a row with what the parts can do without the hub, and returns its title. */
  limit(title: string, figures: Measured<Name>): string
  /** Prints a row of the hub, compared with the row of that title. */
  hub(title: string, figures: Measured<Name>, comparedWith?: string): string
  /** Writes the results and their chart. */
  keep(): Promise<void>
}

/**
 * The figures of a row. It may leave some out. Plain numbers say that the row was measured once,
 * however often the others are.
 */
type Measured<Name extends string> = Partial<Figures<Name>> | Partial<Spreads<Name>>

const folder = fileURLToPath(new URL('../results/', import.meta.url))
const fewestRuns = 3
const titleWidth = 56
const narrowestCell = 14

/** Prints the heading of a table, and then each row as soon as it is known. */
export function openReport<Name extends string> (options: ReportOptions<Name>): Report<Name> {
  const { name, title, method, runs, columns, main } = options
  const machine = readMachine()
  const rows: Row[] = []
  const names = Object.keys(columns) as Name[]
  console.log(`\n${title}: ${method}`)
  console
    .log(`${machine.processors}, Node ${machine.node}, load ${machine.load} before; median of ${runs} unless (once)`)
  const headings = [...names.map(column => columns[column].heading), 'compared']
  const widths = headings.map(heading => Math.max(narrowestCell, heading.length + 2))
  print('', headings)

  function print (title: string, cells: readonly string[]): void {
    const padded = cells.map((cell, index) => cell.padStart(widths[index] ?? narrowestCell))
    console.log((title.padEnd(titleWidth) + padded.join('')).trimEnd())
  }

  function add (kind: Row['kind'], title: string, measured: Measured<Name>, comparedWith?: string): string {
    const figures = Object
      .fromEntries(names.flatMap(column =>
        measured[column] === undefined ? [] : [[column, asSpread(measured[column])]]
      ))
    const other = rows.find(row => row.title === comparedWith)?.figures[main]?.median
    const own = figures[main]?.median
    const compared = comparedWith === undefined || other === undefined || own === undefined
      ? {}
      : { compared: { with: comparedWith, share: own / other } }
    const once = runs > 1 && Object.values(measured).every(figure => typeof figure === 'number') ? { runs: 1 } : {}
    const row: Row = { title, kind, figures, ...once, ...compared }
    rows.push(row)
    print(`${kind === 'limit' ? 'limit: ' : ''}${titleOf(row)}`, [
      ...names.map(column => figures[column]?.median.toFixed(columns[column].digits ?? 0) ?? ''),
      row.compared === undefined ? '' : `${(100 * row.compared.share).toFixed(0)} %`
    ])
    return title
  }

  return {
    limit: (title, figures) => add('limit', title, figures),
    hub: (title, figures, comparedWith) => add('hub', title, figures, comparedWith),
    async keep () {
      if (runs < fewestRuns) return
      const measuredAt = new Date().toISOString().slice(0, 10)
      const results: Results = { name, title, method, measuredAt, runs, machine, columns, main, rows }
      await mkdir(folder, { recursive: true })
      await writeFile(`${folder}${name}.json`, `${JSON.stringify(results, null, 2)}\n`)
      await writeFile(`${folder}${name}.svg`, drawChart(results))
      console.log(`kept in test/bench/results/${name}.json and .svg`)
    }
  }
}

function asSpread (measured: number | Spread): Spread {
  const spread = typeof measured === 'number' ? spreadOf([measured]) : measured
  const rounded = (value: number): number => Number(value.toPrecision(4))
  return { median: rounded(spread.median), least: rounded(spread.least), most: rounded(spread.most) }
}
