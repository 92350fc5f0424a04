import { Option, type Command } from 'commander'
import type { Figures } from '../figures/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { findConnection } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'
import { parsePast, pastForms } from './parse-time.ts'

interface FiguresOptions extends HubOptions {
  connection?: string
  by: keyof typeof lengths
  from?: string
  to?: string
  json?: boolean
}

const hourMs = 3_600_000
/** The seconds of a row, and how far back the rows go by default. */
const lengths = {
  minute: { step: 60, backMs: hourMs },
  hour: { step: 3_600, backMs: 24 * hourMs },
  day: { step: 86_400, backMs: 30 * 24 * hourMs }
} as const

/** `linker figures`. */
export function addFigures (program: Command): void {
  withHub(program.command('figures').description('show what a running hub did over time, one row for each hour')
    .option('--connection <connection>', 'only this connection, by its name or id')
    .addOption(new Option('--by <length>', 'length of a row').choices(Object.keys(lengths)).default('hour'))
    .option('--from <time>', `beginning: ${pastForms}; default: an hour, a day or 30 days before the end`, parsePast)
    .option('--to <time>', `end: ${pastForms}; default: now`, parsePast)
    .option('--json', 'print JSON: the answer of `GET /figures`'))
    .action(async ({ connection, by, from, to, json, ...options }: FiguresOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const { step, backMs } = lengths[by]
      const end = to === undefined ? Date.now() : Date.parse(to)
      const wanted = new URLSearchParams({
        from: from ?? new Date(end - backMs).toISOString(),
        to: new Date(end).toISOString(),
        step: String(step)
      })
      if (connection !== undefined) wanted.set('connectionId', await findConnection(hub, connection))
      const found = await hub.call('GET', `/figures?${wanted}`) as Figures
      print(json === true ? JSON.stringify(found, null, 2) : formatFigures(found))
    })
}

/** A row for each slot in which something happened. */
export function formatFigures ({ times, series, refused }: Figures): string {
  const rows = times.flatMap((time, slot) => {
    const row = cellsOf(series, slot)
    const isIdle = row.every(cell => cell === '0' || cell === '')
    return isIdle ? [] : [[new Date(time * 1_000).toISOString().replace(':00.000Z', 'Z'), ...row]]
  })
  if (rows.length === 0) return 'nothing happened in this time'
  const codes = Object.entries(refused).map(([code, counts]) => `${code} ${sum(counts)}`)
  return [
    formatTable(
      [
        'from',
        'webhooks',
        'refused',
        'jobs done',
        'put back',
        'dead',
        'requests',
        'failed',
        'p50',
        'p95',
        'written',
        'after p50',
        'p95',
        'queued',
        'drift'
      ],
      rows
    ),
    ...(codes.length === 0 ? [] : ['', `refused: ${codes.join(', ')}`])
  ].join('\n')
}

function cellsOf (series: Figures['series'], slot: number): string[] {
  const at = (name: keyof Figures['series']): number | null => series[name][slot] ?? null
  const count = (...names: (keyof Figures['series'])[]): string => String(sum(names.map(name => at(name) ?? 0)))
  const failures = ['upstream4xx', 'upstream429', 'upstream5xx', 'upstreamNone'] as const
  return [
    count('webhooksAccepted'),
    count('webhooksRefused'),
    count('jobsSucceeded'),
    count('jobsPutBack'),
    count('jobsDead'),
    count('upstream2xx', 'upstream3xx', ...failures),
    count(...failures),
    describeMs(at('upstreamP50')),
    describeMs(at('upstreamP95')),
    count('stockWrites'),
    describeMs(at('writtenP50')),
    describeMs(at('writtenP95')),
    String(at('queued') ?? ''),
    String(at('drift') ?? '')
  ]
}

function sum (values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Two digits: the figures are not more exact. */
function describeMs (ms: number | null): string {
  if (ms === null) return ''
  if (ms < 1_000) return `${Number(ms.toPrecision(2))} ms`
  return ms < 60_000 ? `${Number((ms / 1_000).toPrecision(2))} s` : `${Number((ms / 60_000).toPrecision(2))} min`
}
