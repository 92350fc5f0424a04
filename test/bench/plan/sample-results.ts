import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mode } from '../../support/modes.ts'
import type { Results, Row } from '../report/results.ts'

type Rows = Readonly<Record<string, Readonly<Record<string, number>>>>

const split = 'a process that accepts, a process that works'
const event = { cpu: 150, databaseCpu: 200, wal: 4_096, transactions: 0.2, redisCpu: 20, markers: 360 }

/** Round figures of no machine, for tests: they make plans that can be checked by hand. */
export const sampleRows: Readonly<Record<string, Rows>> = {
  ingest: { 'hub, role http': { cpu: 50 } },
  jobs: { 'one process': event, [split]: event },
  stock: { 'hub, 100 jobs at a time': { cpu: 1 } },
  orders: { hub: { cpu: 20 } },
  sweep: {
    'hub, nothing changed': { each: 40, perCall: 500 },
    'hub, 1 % changed': { resident: 220, growth: 36 }
  },
  growth: {
    '10 connections': { cpu: 100, databaseCpu: 200 },
    '1000 connections': { cpu: 90, databaseCpu: 200 },
    '10000 connections': { cpu: 120, databaseCpu: 220 },
    '10 connections, 1000000 jobs of the past': { cpu: 100, databaseCpu: 200 }
  },
  'growth-stock': { 'nothing else': { cpu: 1 }, '1000000 variants, 100000 offers': { cpu: 1 } },
  retention: { 'within 1 % of its largest': { perJob: 1_000, perMarker: 500 } }
}

/** Writes the files that the benchmarks would write: `retention` leaves mode full out. */
export async function writeSampleResults (
  folder: string,
  { modes, rows = sampleRows }: { modes: readonly Mode[], rows?: Readonly<Record<string, Rows>> }
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const mode of modes) {
    for (const [bench, ofBench] of Object.entries(rows)) {
      if (bench === 'retention' && mode === 'full') continue
      const name = `${bench}-${mode}`
      await writeFile(join(folder, `${name}.json`), JSON.stringify(sampleOf(name, ofBench)))
    }
  }
}

function sampleOf (name: string, rows: Rows): Results {
  return {
    name,
    title: name,
    method: '',
    measuredAt: '2026-01-02',
    runs: 3,
    machine: { processors: '2 × x', node: 'v24', load: 0 },
    columns: {},
    main: '',
    rows: Object.entries(rows).map(([title, figures]): Row => ({
      title,
      kind: 'hub',
      figures: Object
        .fromEntries(Object.entries(figures).map(
          ([column, value]) => [column, { median: value, least: value, most: value }]
        ))
    }))
  }
}
