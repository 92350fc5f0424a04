import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import t, { type Test } from 'tap'
import { selectOldest } from '../../src/connections/statements.ts'
import { openDatabase } from '../../src/database/database.ts'
import { conditionsOf, type JobConditions } from '../../src/jobs/conditions.ts'
import { codeCondition, objectCondition, selectRecords } from '../../src/jobs/statements.ts'
import {
  hasProblem,
  isAt,
  isFoundBy as isOfferFoundBy,
  isOfEan,
  isOfSku,
  selectPage,
  warningConditions
} from '../../src/offers/find/statements.ts'
import {
  isAt as isUnlinkedAt,
  selectPage as selectUnlinkedPage,
  showsEan,
  showsSku
} from '../../src/offers/unlinked/statements.ts'
import {
  countOthers,
  hasProblem as orderHasProblem,
  isBehind,
  selectCandidates
} from '../../src/orders/retries/statements.ts'
import { isFoundBy as isVariantFoundBy, selectStock } from '../../src/stock/statements.ts'
import { createServerDatabase } from '../databases.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL
const source = fileURLToPath(new URL('../../src/', import.meta.url))

const jobs = 100_000
const liveJobs = 1_000
/** Half of them died, and half were cancelled. */
const endedJobs = 200
/** Rows of a page, and how many rows of large tables it may read for each. */
const shown = 50
const mostReadForOne = 20
const variants = 50_000
const orders = 20_000
const messages = 20_000
const ignoredEvents = 20_000

/** The tables that grow with the shop and with time. */
const large = [
  'jobs',
  'products',
  'variants',
  'stock',
  'offers',
  'unlinked_offers',
  'orders',
  'order_lines',
  'order_history',
  'stream_messages',
  'ignored_events'
]

/** Statements that read a whole table, and why they may. */
const readWhole: Readonly<Record<string, string>> = {
  'jobs: selectRecord': 'the store adds its conditions',
  'jobs: selectRecords': 'the store adds its conditions',
  'stock: selectStock': 'the store adds its conditions',
  'events: selectIgnored': 'the store adds its conditions',
  'events: deleteExcess': 'the hub keeps 1 MiB of ignored events of each connection',
  'orders/restores: markSearched': 'once, after a restore',
  'stock: raiseVersions': 'once, after a restore',
  'offers: countDrifts': 'one process counts them once in five minutes',
  'stock/sweeps: countMissingOfIds': 'a sweep counts all variants of a shop once, at its end',
  'stock/sweeps: countMissingOfSweep': 'a sweep counts all variants of a shop once, at its end',
  ...Object.fromEntries([
    'catalog: deleteProducts',
    'catalog: markKeptVariants',
    'stock: clearKept',
    'offers: selectFollowers',
    'orders: countOpen',
    'orders: selectFirstOpen',
    'orders: noteOnOpen'
  ].map(name => [name, 'the deletion of a shop looks at all its variants once'])),
  'catalog: selectSharedSkus': 'one process compares the SKUs of all shops once an hour',
  'orders/lines: selectUnexplained': 'a comparison of all offers looks at all reserved stock once, at its end'
}

const uuid = (kind: string, number: string): string => `md5('${kind}' || ${number})::uuid`
const connection = uuid('connection', 'n % 100')

/** Rows as a hub has them after some months. */
const fill = [
  // Without the checks of foreign keys: the rows need no connections.
  'set session_replication_role = replica',
  `insert into jobs (id, job_type, lane, connection_id, object_key, idempotency_key, payload, outcome, created_at,
     finished_at)
   select ${uuid('job', 'n')}, 'a.b', 'state', ${connection}, 'object' || n, 'key' || n, '{}', 'succeeded',
     now() - n * interval '10 seconds', now() - n * interval '10 seconds'
   from generate_series(1, ${jobs}) n`,
  `insert into jobs (id, job_type, lane, connection_id, object_key, idempotency_key, payload, state, due_at,
     created_at)
   select ${uuid('live', 'n')}, 'a.b', 'state', ${connection}, 'live' || n, 'live' || n, '{}', 'queued', now(),
     now() - n * interval '15 minutes'
   from generate_series(1, ${liveJobs}) n`,
  `insert into jobs (id, job_type, lane, connection_id, object_key, idempotency_key, payload, outcome, created_at,
     finished_at, died_at, problem)
   select ${uuid('ended', 'n')}, 'a.b', 'state', ${connection}, 'ended' || n, 'ended' || n, '{}', ended.outcome,
     now() - n * interval '1 hour', case when ended.outcome = 'cancelled' then now() end,
     case when ended.outcome = 'dead' then now() end, '{"code": "LNK_ADAPTER_REJECTED"}'
   from generate_series(1, ${endedJobs}) n
     cross join lateral (select case when n % 2 = 0 then 'dead' else 'cancelled' end as outcome) as ended`,
  `insert into products (id, connection_id, external_id, name, image_urls, created_at, updated_at)
   select ${uuid('product', 'n')}, ${connection}, n, 'Product ' || n, '[]', now(), now()
   from generate_series(1, ${variants}) n`,
  `insert into variants (id, product_id, external_id, name, sku, ean, image_urls, created_at, updated_at)
   select ${uuid('variant', 'n')}, ${uuid('product', 'n')}, n, 'Variant ' || n, 'SKU-' || n, 590000000000 + n, '[]',
     now(), now()
   from generate_series(1, ${variants}) n`,
  `insert into stock (variant_id, quantity, updated_at)
   select ${uuid('variant', 'n')}, 1, now() from generate_series(1, ${variants}) n`,
  `insert into offers (id, connection_id, variant_id, external_id, status, frozen_fields, problems, created_at,
     updated_at)
   select ${uuid('offer', 'n')}, ${connection}, ${uuid('variant', 'n')}, n, 'ACTIVE', '[]', '[]', now(), now()
   from generate_series(1, ${variants}) n`,
  `insert into unlinked_offers (id, connection_id, external_id, reference, sku, ean, status, created_at)
   select ${uuid('unlinked', 'n')}, ${connection}, 'u' || n, 'SKU-' || n, 'SKU-' || n, 590000000000 + n, 'ACTIVE', now()
   from generate_series(1, ${variants}) n`,
  `insert into connections (id, platform_type, name, status, config, adapter_key, capabilities, webhook_scheme,
     created_at, updated_at)
   select ${uuid('connection', 'n')}, 'shop', 'Shop ' || n, 'active', '{}', 'shop.api.v1', '[]', 'hmac', now(), now()
   from generate_series(0, 99) n`,
  `insert into orders (id, connection_id, external_id, status, source_status, revision, snapshot, problems, placed_at,
     created_at, updated_at)
   select ${uuid('order', 'n')}, ${connection}, n, 'created', 'new', '1', '{}', '[]', now(), now(), now()
   from generate_series(1, ${orders}) n`,
  `insert into order_lines (order_id, external_id, offer_external_id, variant_id, quantity)
   select ${uuid('order', 'n')}, n, n, ${uuid('variant', 'n')}, 1 from generate_series(1, ${orders}) n`,
  `insert into order_history (order_id, event)
   select ${uuid('order', 'n')}, 'created' from generate_series(1, ${orders}) n`,
  `insert into stream_messages (stream, key, fields, acked_at, expires_at)
   select 'jobs.sync', 'key' || n, '{}', now(), now() + interval '7 days' from generate_series(1, ${messages}) n`,
  `insert into ignored_events (connection_id, event_id, event_type, delivery_id, provider, reason, event, ignored_at)
   select ${connection}, 'event' || n, 'a.b', ${uuid('delivery', 'n')}, 'shop', 'unknown event type', '{}',
     now() - n * interval '30 seconds'
   from generate_series(1, ${ignoredEvents}) n`,
  'reset session_replication_role',
  'analyze'
]

interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }]
}
interface PlanNode {
  'Node Type': string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: PlanNode[]
}

/** The tables that a plan reads from the first row to the last. */
function scannedIn ({ 'Node Type': type, 'Relation Name': table, Plans: parts = [] }: PlanNode): string[] {
  return [...type === 'Seq Scan' && table !== undefined ? [table] : [], ...parts.flatMap(scannedIn)]
}

/** How many rows of large tables the statement read, those that it left out among them. */
function countRead (node: PlanNode): number {
  const { 'Actual Rows': kept = 0, 'Rows Removed by Filter': left = 0, 'Actual Loops': loops = 0 } = node
  const { 'Relation Name': table = '', Plans: parts = [] } = node
  const own = large.includes(table) ? (kept + left) * loops : 0
  return parts.reduce((sum, part) => sum + countRead(part), own)
}

function indexesIn ({ 'Index Name': index, Plans: parts = [] }: PlanNode): string[] {
  return [...index === undefined ? [] : [index], ...parts.flatMap(indexesIn)]
}

/** Returns the statements of every folder that owns tables, as `folder: name` → text. */
async function readStatements (): Promise<Map<string, string>> {
  const statements = new Map<string, string>()
  for await (const path of glob('**/statements.ts', { cwd: source })) {
    const exported = await import(source + path) as Record<string, unknown>
    for (const [name, text] of Object.entries(exported)) {
      // Other texts are conditions, which statements contain.
      const isStatement = typeof text === 'string' && /^\s*(?:with|select|insert|update|delete)\b/.test(text)
      if (isStatement) statements.set(`${path.replace('/statements.ts', '')}: ${name}`, text)
    }
  }
  return statements
}

/** The plan that does not depend on the values: PostgreSQL uses it for a prepared statement. */
async function planOf (client: pg.Client, text: string): Promise<PlanNode> {
  const parameters = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => number)).size
  const given = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'null').join()})`
  await client.query(`prepare examined as ${text}`)
  try {
    const { rows } = await client.query<Explained>(`explain (format json) execute examined${given}`)
    const [row] = rows
    if (row === undefined) throw new Error('PostgreSQL explained nothing')
    return row['QUERY PLAN'][0].Plan
  } finally {
    await client.query('deallocate examined')
  }
}

async function openFilled (t: Test, url: string): Promise<pg.Client> {
  const database = await createServerDatabase(url)
  const migrated = await openDatabase({ databaseUrl: database.url, dataDirectory: '' }, { warn: () => undefined })
  await migrated.close()
  const client = new pg.Client(database.url)
  t.teardown(async () => {
    await client.end()
    await database.drop()
  })
  await client.connect()
  for (const statement of fill) await client.query(statement)
  await client.query('set plan_cache_mode = force_generic_plan')
  return client
}

t.test('no statement reads a large table from end to end', {
  skip: serverUrl === undefined && 'LINKER_TEST_DATABASE_URL is not set'
}, async t => {
  const client = await openFilled(t, serverUrl ?? '')
  const statements = await readStatements()
  t.ok(statements.size > 100, 'the statements are found')
  for (const [name, text] of statements) {
    const scanned = scannedIn(await planOf(client, text)).filter(table => large.includes(table))
    if (readWhole[name] === undefined) t.strictSame(scanned, [], name)
    else t.not(scanned.length, 0, `${name} may: ${readWhole[name]}`)
  }
  // PostgreSQL has not counted the stocks that variants share until it analyses the table again.
  await client.query(`
    delete from pg_statistic
    using pg_attribute
    where starelid = 'stock'::regclass and attrelid = starelid and attnum = staattnum and attname = 'shared_id'`)
  for (const [name, text] of statements) {
    if (!text.includes('shared_id') || readWhole[name] !== undefined) continue
    const scanned = scannedIn(await planOf(client, text)).filter(table => large.includes(table))
    t.strictSame(scanned, [], `${name}, without statistics of shared stocks`)
  }
  const filters = {
    'the jobs of some objects': objectCondition('$1::text[]'),
    'the jobs with a problem': codeCondition('$1::text')
  }
  for (const [name, condition] of Object.entries(filters)) {
    const plan = await planOf(
      client,
      `${selectRecords} where ${condition} order by jobs.created_at desc, jobs.id limit 50`
    )
    t.strictSame(scannedIn(plan).filter(table => large.includes(table)), [], name)
    t.notOk(indexesIn(plan).includes('jobs_created'), `${name}: PostgreSQL does not walk the ledger`)
  }
  const [anOrder, aConnection] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  // These statements are planned with their values.
  const lists: Readonly<Record<string, readonly [text: string, ...values: unknown[]]>> = {
    'offers by a text': [selectPage([isOfferFoundBy('$1')], '$2'), 'SKU-27134', 50],
    'offers by a text that nothing has': [selectPage([isOfferFoundBy('$1')], '$2'), 'nothing', 50],
    'offers by their id at a marketplace': [selectPage([isAt('$1')], '$2'), '271', 50],
    'offers of an SKU': [selectPage([isOfSku('$1')], '$2'), 'sku-271', 50],
    'offers of an SKU that nothing has': [selectPage([isOfSku('$1')], '$2'), 'nothing', 50],
    'offers of an EAN': [selectPage([isOfEan('$1')], '$2'), '590000000271', 50],
    'unlinked offers by their id at a marketplace': [selectUnlinkedPage([isUnlinkedAt('$1')], '$2'), '271', 50],
    'unlinked offers with an SKU': [selectUnlinkedPage([showsSku('$1')], '$2'), 'sku-271', 50],
    'unlinked offers with an EAN': [selectUnlinkedPage([showsEan('$1')], '$2'), '590000000271', 50],
    'offers with any problem': [selectPage([hasProblem('$1')], '$2'), null, 50],
    'offers with a problem': [selectPage([hasProblem('$1')], '$2'), 'never-shown', 50],
    'offers that sell too much': [selectPage([warningConditions.oversell], '$1'), 50],
    'stock by a text': [
      `${selectStock} where ${isVariantFoundBy('$1')} order by variants.created_at, variants.id limit $2`,
      'SKU-27134',
      50
    ],
    'orders to retry with a problem': [selectCandidates([orderHasProblem('$1')], '$2'), 'not-created', 10_001],
    'orders to retry behind another': [selectCandidates([isBehind('$1')], '$2'), anOrder, 10_001],
    'other orders of a connection, of some time': [
      countOthers(['orders.connection_id = $1', 'orders.created_at >= $2', 'orders.created_at < $3'], '$4'),
      aConnection,
      '2026-01-01T00:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
      10_000
    ],
    'other orders of some time': [
      countOthers(['orders.created_at >= $1', 'orders.created_at < $2'], '$3'),
      '2026-01-01T00:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
      10_000
    ],
    'other orders by their id at a marketplace, with a problem': [
      countOthers(['orders.external_id = $1', orderHasProblem('$2')], '$3'),
      '271',
      'not-created',
      10_000
    ]
  }
  await client.query('set plan_cache_mode = auto')
  for (const [name, [text, ...values]] of Object.entries(lists)) {
    const { rows: [row] } = await client.query<Explained>(`explain (format json) ${text}`, values)
    const plan = row?.['QUERY PLAN'][0].Plan
    if (plan === undefined) throw new Error('PostgreSQL explained nothing')
    t.strictSame(scannedIn(plan).filter(table => large.includes(table)), [], name)
    for (const index of ['offers_page', 'unlinked_offers_page']) {
      t.notOk(indexesIn(plan).includes(index), `${name}: PostgreSQL does not walk all offers`)
    }
  }
  await t.test('a page of the console reads few rows more than it shows', async t => {
    const aRequest = 'request-1'
    const anAccount = "md5('connection' || 7)::uuid"
    const { rows: [account] } = await client.query<{ id: string }>(`select ${anAccount} as id`)
    await client.query("update jobs set request_id = $1 where object_key = 'object271'", [aRequest])
    // Pages of queued and waiting jobs read all live jobs: no index has their order.
    const jobPages: Readonly<Record<string, JobConditions>> = {
      'all jobs': {},
      'dead jobs': { status: 'dead' },
      'cancelled jobs': { status: 'cancelled' },
      'running jobs': { status: 'running' },
      'succeeded jobs': { status: 'succeeded' },
      'jobs of a connection': { connectionId: account?.id },
      'jobs of a request': { requestId: aRequest },
      'jobs of an object': { objectKeys: ['object271'] },
      'dead jobs with a code': { status: 'dead', code: 'LNK_ADAPTER_REJECTED' }
    }
    const pages = [
      ...Object.entries(jobPages).map(([name, wanted]) => pageOfJobs(name, wanted)),
      { name: 'all offers', text: selectPage([], '$1'), values: [shown] },
      { name: 'offers of an SKU', text: selectPage([isOfSku('$1')], '$2'), values: ['sku-271', shown] },
      { name: 'offers without a variant', text: selectUnlinkedPage([], '$1'), values: [shown] },
      { name: 'all stock', text: `${selectStock} order by variants.created_at, variants.id limit $1`, values: [shown] },
      { name: 'the first connections', text: selectOldest, values: [shown] }
    ]
    for (const { name, text, values } of pages) {
      const { rows: [row] } = await client.query<Explained>(`explain (analyze, format json) ${text}`, values)
      const plan = row?.['QUERY PLAN'][0].Plan
      if (plan === undefined) throw new Error('PostgreSQL explained nothing')
      t.strictSame(scannedIn(plan).filter(table => large.includes(table)), [], name)
      const [read, answered] = [countRead(plan), Math.max(1, plan['Actual Rows'] ?? 0)]
      t.ok(read <= mostReadForOne * answered, `${name}: ${read} rows read for ${answered}`)
    }
  })
})

function pageOfJobs (name: string, wanted: JobConditions): { name: string, text: string, values: unknown[] } {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = conditionsOf(wanted, value)
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return {
    name,
    text: `${selectRecords} ${where} order by jobs.created_at desc, jobs.id limit ${value(shown)}`,
    values
  }
}
