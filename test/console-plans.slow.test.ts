import pg from 'pg'
import t, { type Test } from 'tap'
import { pagesOf } from './bench/tools/console-pages.ts'
import { fillForConsole, nameRows } from './bench/tools/console-rows.ts'
import { buildTestHub } from './support/hub.ts'
import { availableModes } from './support/modes.ts'
import type { ForeignPackage } from './support/project.ts'

const sizes = { connections: 9_100, jobs: 100_000, offers: 20_000 }

/** The tables that grow with the shop and with time. */
const large: ReadonlySet<string> = new Set([
  'audit_entries',
  'figures',
  'ignored_events',
  'inventory_sweeps',
  'jobs',
  'offers',
  'order_history',
  'order_lines',
  'orders',
  'products',
  'samples',
  'stock',
  'unlinked_offers',
  'variants'
])

/** A page may read so many rows of large tables for each that it shows, or could show. */
const mostReadForOne = 20
const rowsOfPage = 50

const deadAndLive = 'no index has the order of jobs that wait, nor the codes of dead jobs: all of them are read'
const drift = 'no index knows which quantities differ: the offers of the filter are compared'
const lookThrough = 'a look goes through 1 000 jobs, and a page through 10 000 at most'
const dead = 'it counts the dead jobs, 10 000 at most'

/** The pages that read more, and why they may. */
const readsMore: Readonly<Record<string, string>> = {
  'Overview': dead,
  'Connections': dead,
  'Connections, in error': dead,
  'Connection': 'the diagnosis reads the newest 2 000 jobs of the connection',
  'Connection, Webhooks': lookThrough,
  'Stock that differs': drift,
  'Stock that differs, of a connection': drift,
  'Stock that differs, of a quiet connection': drift,
  'Jobs, waiting': deadAndLive,
  'Jobs, succeeded': 'it passes the jobs that have not ended, which are the newest',
  'Jobs of a type that is rare': 'it looks at all jobs: an index of the type would slow down each job',
  'Jobs of a type, dead': deadAndLive,
  'Jobs of a connection, of a type that is rare': 'it looks at all jobs of the connection',
  'Jobs with a code': deadAndLive,
  'Jobs with a code that is rare': deadAndLive,
  'Deliveries of a connection': lookThrough,
  'Deliveries of a type that is rare': lookThrough
}

const platform: ForeignPackage = {
  manifest: {
    name: '@acme/adapter-noop-v1',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: { adapterKey: 'noop.api.v1', platformType: 'noop', displayName: 'Noop', capabilities: [] }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: () => ({}),
      account: async () => undefined,
      capabilities: {}
    })`
}

interface Statement {
  text: string
  values: unknown[]
}

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: PlanNode[]
}

t.test('no page of the console reads a large table from end to end, or far more rows than it shows', {
  skip: !availableModes(process.env).includes('postgres') && 'LINKER_TEST_DATABASE_URL is not set'
}, async t => {
  const recorded = recordStatements(t)
  const config = { adapters: [platform.manifest.name] }
  const hub = await buildTestHub(t, { mode: 'postgres', packages: [platform], config })
  const { patiently, query } = hub.database()
  await patiently(() => fillForConsole(query, 'noop', sizes))
  // A process without jobs: its statements are those of the requests.
  await hub.restart({ variables: { LINKER_ROLE: 'http' }, config })
  const explain = await openExplainer(t, hub.variables.DATABASE_URL ?? '')

  for (const [page, paths] of Object.entries(pagesOf(await nameRows(hub.database().query)))) {
    const scanned = new Set<string>()
    const tooMany: string[] = []
    for (const path of paths) {
      recorded.length = 0
      const { status, text, json } = await hub.call('GET', path)
      if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`)
      const most = mostReadForOne * Math.max(rowsOfPage, countItems(json))
      for (const statement of recorded.splice(0).filter(({ text }) => /^\s*(?:with|select)\b/.test(text))) {
        const plan = await explain(statement)
        for (const table of scannedIn(plan)) if (large.has(table)) scanned.add(table)
        const read = countRead(plan)
        if (read > most) tooMany.push(`GET ${path}: ${read} rows, at most ${most}: ${statement.text}`)
      }
    }
    t.strictSame([...scanned], [], `${page}: no scan of a large table`)
    if (readsMore[page] === undefined) t.strictSame(tooMany, [], `${page}: few rows more than it shows`)
  }
})

/** Keeps the statements that the hubs of this process send from now on. */
function recordStatements (t: Test): Statement[] {
  const recorded: Statement[] = []
  const { query: original } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given as [string | { text: string, values?: unknown[] }, unknown]
    const { text, values = [] } = typeof first === 'string' ? { text: first } : first
    recorded.push({ text, values: Array.isArray(second) ? second : values })
    return Reflect.apply(original, this, given)
  } as typeof original
  t.teardown(() => {
    pg.Client.prototype.query = original
  })
  return recorded
}

/** Returns the function that runs a statement as the hub does and tells how PostgreSQL ran it. */
async function openExplainer (t: Test, url: string): Promise<(statement: Statement) => Promise<PlanNode>> {
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  await client.query('set enable_seqscan = off; set jit = off')
  return async ({ text, values }) => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${text}`,
      values
    )
    const [row] = rows
    if (row === undefined) throw new Error('PostgreSQL explained nothing')
    return row['QUERY PLAN'][0].Plan
  }
}

function scannedIn ({ 'Node Type': type, 'Relation Name': table, Plans: parts = [] }: PlanNode): string[] {
  return [...type === 'Seq Scan' && table !== undefined ? [table] : [], ...parts.flatMap(scannedIn)]
}

/** How many rows of large tables a plan read, those that it left out among them. */
function countRead (node: PlanNode): number {
  const { 'Actual Rows': kept, 'Rows Removed by Filter': left = 0, 'Actual Loops': loops } = node
  const own = large.has(node['Relation Name'] ?? '') ? (kept + left) * loops : 0
  return (node.Plans ?? []).reduce((sum, part) => sum + countRead(part), own)
}

/**
 * How many things an answer shows: the objects in its lists, such as the offers of a variant, or
 * the times of a plot.
 */
function countItems (value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if ('times' in value && Array.isArray(value.times)) return value.times.length
  const own = Array.isArray(value) ? value.filter(item => typeof item === 'object').length : 0
  return Object.values(value).reduce((sum: number, member) => sum + countItems(member), own)
}
