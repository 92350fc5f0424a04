import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mode } from '../../support/modes.ts'
import type { Results, Row } from '../report/results.ts'

/** A measured figure and the place in the results where it was found. */
export interface Figure {
  value: number
  source: string
}

export interface Measured {
  /** The machine and the days of the measurements. */
  origins: readonly string[]
  figures: Readonly<Partial<Record<FigureName, Figure>>>
  /** The figures of rows whose titles name how much there was. */
  growth: readonly Growth[]
}

/** How much more an event costs than in a small hub, and how large the hub was. */
export interface Growth {
  kind: 'connections' | 'jobs' | 'variants'
  count: number
  hub: Figure
  database?: Figure
}

export const resultsFolder = fileURLToPath(new URL('../results/', import.meta.url))

interface Place {
  bench: string
  row: string
  column: string
  /** Absent: in every mode. */
  modes?: readonly Mode[]
  /** The plan for mode full reads the results of this mode. Absent: its own. */
  inFull?: Mode
}

const splitRow = 'a process that accepts, a process that works'
const inJobs = (column: string, modes: readonly Mode[]): Place => ({ bench: 'jobs', row: splitRow, column, modes })
// The benchmark leaves mode full out, because its ledger is that of mode postgres.
const whenGrown = (column: string): Place => ({
  bench: 'retention',
  row: 'within 1 % of its largest',
  column,
  inFull: 'postgres'
})
const served: readonly Mode[] = ['postgres', 'full']

const places = {
  accept: { bench: 'ingest', row: 'hub, role http', column: 'cpu' },
  event: { bench: 'jobs', row: splitRow, column: 'cpu' },
  write: { bench: 'stock', row: 'hub, 100 jobs at a time', column: 'cpu' },
  order: { bench: 'orders', row: 'hub', column: 'cpu' },
  sweep: { bench: 'sweep', row: 'hub, nothing changed', column: 'each' },
  variantsPerCall: { bench: 'sweep', row: 'hub, nothing changed', column: 'perCall' },
  resident: { bench: 'sweep', row: 'hub, 1 % changed', column: 'resident' },
  residentGrowth: { bench: 'sweep', row: 'hub, 1 % changed', column: 'growth' },
  databaseCpu: inJobs('databaseCpu', served),
  wal: inJobs('wal', served),
  transactions: inJobs('transactions', served),
  redisCpu: inJobs('redisCpu', ['full']),
  markers: inJobs('markers', ['full']),
  jobBytes: whenGrown('perJob'),
  messageBytes: { ...whenGrown('perMarker'), modes: ['embedded', 'postgres'] }
} as const satisfies Record<string, Place>

export type FigureName = keyof typeof places

/** Reads the figures of a mode. Throws an error that names the command when one is missing. */
export async function readMeasured (folder: string, mode: Mode): Promise<Measured> {
  const origins = new Set<string>()
  const files = new Map<string, Results>()

  async function read (bench: string, { name = bench, measuredIn = mode } = {}): Promise<Results> {
    const file = `${name}-${measuredIn}.json`
    const known = files.get(file)
    if (known !== undefined) return known
    const results = await readResults(join(folder, file), commandFor(bench, measuredIn))
    origins.add(`${results.measuredAt}, ${results.machine.processors}, Node ${results.machine.node}`)
    files.set(file, results)
    return results
  }

  async function find (place: Place): Promise<Figure> {
    const measuredIn = mode === 'full' ? place.inFull ?? mode : mode
    const results = await read(place.bench, { measuredIn })
    const title = place.row === splitRow && mode === 'embedded' ? 'one process' : place.row
    const row = results.rows.find(row => row.title === title)
    return figureOf(results, row, { title, column: place.column, command: commandFor(place.bench, measuredIn) })
  }

  const figures: Partial<Record<FigureName, Figure>> = {}
  for (const [name, place] of Object.entries(places) as [FigureName, Place][]) {
    if (place.modes?.includes(mode) !== false) figures[name] = await find(place)
  }
  const growth = [
    ...growthsOf(await read('growth'), /^(\d+) connections$/, 'connections'),
    ...growthsOf(await read('growth'), /^\d+ connections, (\d+) jobs of the past$/, 'jobs'),
    ...growthsOf(await read('growth', { name: 'growth-stock' }), /^(\d+) variants, \d+ offers$/, 'variants')
  ]
  return { origins: [...origins], figures, growth }
}

const commandFor = (bench: string, mode: Mode): string => `npm run bench -- ${bench} --mode ${mode}`

async function readResults (path: string, command: string): Promise<Results> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Results
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(`${path} is missing. Make it with: ${command}`, { cause: error })
    }
    throw error
  }
}

function figureOf (
  { name, columns }: Results,
  row: Row | undefined,
  { title, column, command }: { title: string, column: string, command: string }
): Figure {
  const value = row?.figures[column]?.median
  const heading = columns[column]?.heading ?? column
  const source = `${name}.json, row "${title}", "${heading}"`
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    const condition = 'on Linux, with PostgreSQL and Redis on the same machine'
    throw new Error(`${source} is missing. Make it with: ${command} (${condition})`)
  }
  return { value, source }
}

/** Compares each row that matches with the first row. */
function growthsOf ({ name, rows }: Results, pattern: RegExp, kind: Growth['kind']): Growth[] {
  const [first] = rows
  return rows.flatMap(row => {
    const [, count] = pattern.exec(row.title) ?? []
    const ratio = (column: string): Figure | undefined => {
      const [from, to] = [first?.figures[column]?.median, row.figures[column]?.median]
      if (from === undefined || to === undefined) return undefined
      return { value: to / from, source: `${name}.json, row "${row.title}", "${column}" to "${first?.title}"` }
    }
    const [hub, database] = [ratio('cpu'), ratio('databaseCpu')]
    if (count === undefined || hub === undefined) return []
    return [{ kind, count: Number(count), hub, ...(database === undefined ? {} : { database }) }]
  })
}
