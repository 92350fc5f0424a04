import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase, type Query } from '../../src/database/database.ts'
import { startEmbeddedServer } from '../../src/database/embedded.ts'
import { entities } from '../../src/entities.ts'
import { jobIdOf } from '../../src/jobs/identity.ts'
import { returnSilentJobs } from '../../src/jobs/queue/store.ts'
import type { JobHandler } from '../../src/jobs/running-job.ts'
import { ended, kinds, makePlace, openJobs, read, type Jobs, type Kind, type Place } from '../jobs/support.ts'

const dump = await readFile(new URL('../../../test/fixtures/database-before-0015.sql', import.meta.url), 'utf8')
const log = { warn: () => undefined }

// The job whose credentials the platform refused. An operator asked for it, so it has a key of the
// API.
const pollKey = 'api:jobs:22116e77-3dca-455a-ba7c-3277127d67c6:1bdd6d2b-c0ca-463b-9612-701db5e9ea1f'
const errorId = '22116e77-3dca-455a-ba7c-3277127d67c6'
const disabledId = 'b8c5b21b-7fc8-4fa6-8f66-d409d1878554'

interface Standing {
  state: 'queued' | 'returned' | 'running'
  claims: number
  isSuspect: boolean
}

const queued: Standing = { state: 'queued', claims: 0, isSuspect: false }
const returned = (claims: number): Standing => ({ state: 'returned', claims, isSuspect: false })
const suspect = (claims: number): Standing => ({ state: 'returned', claims, isSuspect: true })
const running = (claims: number): Standing => ({ state: 'running', claims, isSuspect: false })

/** The live jobs of the dump by their keys, in the form that the ledger must have. */
const live: Readonly<Record<string, Standing>> = {
  'command-behind-put-back': queued,
  'command-behind-running': queued,
  'command-behind-suspect': queued,
  'command-first': queued,
  'command-put-back': returned(2),
  'command-running': running(1),
  'command-second': queued,
  'command-suspect': suspect(1),
  'disabled-command': queued,
  'disabled-state': queued,
  'error-command': queued,
  'error-state': queued,
  'hub-put-back': returned(2),
  'hub-queued': queued,
  'hub-running': running(1),
  'moved-state': queued,
  'moving-state': queued,
  'state-behind-running': queued,
  'state-behind-suspect': queued,
  'state-later': queued,
  'state-put-back-due': returned(2),
  'state-put-back-later': returned(1),
  'state-queued': queued,
  'state-running': running(1),
  'state-running-again': running(2),
  'state-stands': queued,
  'state-suspect': suspect(2),
  'state-suspect-again': suspect(2),
  [pollKey]: returned(1)
}
const keys = Object.keys(live)
const later = ['state-later', 'state-put-back-later']
const ofMoving = ['moving-state']
const ofInactive = ['disabled-command', 'disabled-state', 'error-command', 'error-state', pollKey]
const due = keys.filter(key => ![...later, ...ofMoving, ...ofInactive].includes(key))

/**
 * The first job of each pair must end before the second begins, because both work on one object.
 */
const inOrder: readonly (readonly [string, string])[] = [
  ['command-first', 'command-second'],
  ['command-put-back', 'command-behind-put-back'],
  ['command-running', 'command-behind-running'],
  ['command-suspect', 'command-behind-suspect'],
  ['state-running', 'state-behind-running'],
  ['state-suspect', 'state-behind-suspect']
]

const problemsAfter = {
  orders: [
    { status: 'awaiting_mapping', problems: ['unmapped'] },
    { status: 'cancelled', problems: ['cancellation-refused'] },
    { status: 'created', problems: [] },
    { status: 'failed', problems: ['not-created'] }
  ],
  offers: [{ status: 'ACTIVE', problems: [] }, { status: 'ACTIVE', problems: ['quantity-not-written'] }]
}

for (const kind of kinds(t)) {
  t.test(`an older database is taken over with all its jobs, ${kind}`, async t => {
    const { place, found: before } = await makeOldPlace(t, kind, readBefore)
    t.strictSame(before.jobs.map(({ key }) => key), keys.toSorted(), 'the dump holds what is listed here')

    const database = await openDatabase(place, log, entities)
    t.teardown(() => database.close())
    const { query } = database

    t.strictSame(await countRows(query, Object.keys(before.counts)), before.counts)
    t.strictSame(await readLedger(query), before.ledger, 'what the ledger said before, it says now')
    t.strictSame(
      await query('select nspname from pg_namespace where nspname = $1', ['pgboss']),
      [],
      'the schema of pg-boss is gone'
    )
    t.strictSame(
      await readLive(query),
      before.jobs.map(({ key, dueAt, claimedAt, heartbeatAt }) => ({
        key,
        ...live[key],
        dueAt,
        claimedAt,
        heartbeatAt
      }))
    )
    t.strictSame(
      await query('select reason, lapses_at is not null as lapses from job_holds order by reason, group_id'),
      [{ reason: 'inactive', lapses: false }, { reason: 'inactive', lapses: false }, {
        reason: 'moving',
        lapses: true
      }],
      'jobs of connections that are not active, or move, are held'
    )
    for (const table of ['orders', 'offers'] as const) {
      const rows = await query<WithProblems>(`select status, problems from ${table} order by status, problems`)
      t.strictSame(rows.map(({ status, problems }) => ({ status, problems: problems.map(({ code }) => code) })), [
        ...problemsAfter[table]
      ])
      const details = rows.flatMap(({ problems }) => problems.map(({ detail }) => detail))
      t.strictSame(details.toSorted(), before.problems[table].toSorted())
    }
  })

  t.test(`the jobs of an older database go on, ${kind}`, async t => {
    const { place } = await makeOldPlace(t, kind, async () => undefined)
    const jobs = await openJobs(place)
    t.teardown(() => jobs.close())
    await returnSilentJobs(jobs.database.query, 20)
    const taken = await readLive(jobs.database.query)
    // A lost job would make the wait below time out.
    if (!t.strictSame(taken.map(({ key }) => key), keys.toSorted())) return
    t.strictSame(
      taken.filter(({ key }) => live[key]?.state === 'running').map(({ key, state, isSuspect }) => [
        key,
        state,
        isSuspect
      ]),
      keys.filter(key => live[key]?.state === 'running').toSorted().map(key => [key, 'returned', true]),
      'jobs that were claimed are suspects once their worker is known to be dead'
    )
    const [known] = await jobs.enqueueJobs([{
      jobType: 'master.inventory.syncByExternalId',
      connectionId: null,
      payload: {},
      idempotencyKey: 'state-queued'
    }])
    t.strictSame(known, { id: jobIdOf('state-queued'), isNew: false })

    const { handler, events, overlaps } = createRecorder(jobs)
    jobs.startWorker(handler)
    await endedByKey(jobs, due)
    t.strictSame(begun(events), due.toSorted(), 'each due job ran once, and no other')
    for (const [first, second] of inOrder) {
      t.ok(
        events.indexOf(`end ${first}`) < events.indexOf(`begin ${second}`),
        `'${second}' began when '${first}' had ended`
      )
    }
    t.strictSame(overlaps, [], 'no two jobs of one object ran at once')
    t.match(await read(jobs, jobIdOf('state-coalesced')), {
      coalescedInto: jobIdOf('state-stands'),
      status: 'succeeded'
    })

    t.strictSame(await waitingKeys(jobs), [...later, ...ofMoving, ...ofInactive].toSorted())
    for (const id of [errorId, disabledId]) await jobs.setStatus(id, 'active')
    await endedByKey(jobs, ofInactive)
    t.strictSame(begun(events), [...due, ...ofInactive].toSorted())

    t.strictSame(await waitingKeys(jobs), [...later, ...ofMoving].toSorted())
    await jobs.makeDue()
    await endedByKey(jobs, later)
    t.strictSame(begun(events), [...due, ...ofInactive, ...later].toSorted())
    t.strictSame(await waitingKeys(jobs), ofMoving, 'the jobs of a connection that moves wait')

    const claims = await jobs.database.query<{ key: string, claims: number }>(
      'select idempotency_key as key, claims from jobs where idempotency_key = any($1)',
      [begun(events)]
    )
    t.strictSame(claims.filter(({ key, claims }) => claims !== (live[key]?.claims ?? 0) + 1), [])
  })

  t.test(`a queue of somebody else stays in pg-boss, ${kind}`, async t => {
    const { place } = await makeOldPlace(t, kind, async query => {
      await query(`
        insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds,
          retention_seconds, deletion_seconds, partition, table_name)
        values ('newsletter', 'standard', 2, 0, false, 900, 1209600, 604800, false, 'job_common')`)
      await query(`
        insert into pgboss.job (name, data, state)
        values ('newsletter', '{"to": "a"}', 'created'), ('newsletter', '{"to": "b"}', 'active')`)
    })

    const database = await openDatabase(place, log, entities)
    t.teardown(() => database.close())
    t.strictSame(
      await database.query("select name, data ->> 'to' as to, state::text from pgboss.job order by data ->> 'to'"),
      [{ name: 'newsletter', to: 'a', state: 'created' }, { name: 'newsletter', to: 'b', state: 'active' }]
    )
    const taken = await readLive(database.query)
    t.strictSame(
      taken.map(({ key, state, claims, isSuspect }) => [key, { state, claims, isSuspect }]),
      keys.toSorted().map(key => [key, live[key]])
    )
  })
}

interface WithProblems {
  status: string
  problems: { code: string, detail: string }[]
}

/**
 * Makes a place whose database is the dump, until the test ends. Also returns the result of `work`
 * on the database before its migration.
 */
async function makeOldPlace<Found> (
  t: Test,
  kind: Kind,
  work: (query: Query) => Promise<Found>
): Promise<{ place: Place, found: Found }> {
  const place = await makePlace(kind)
  t.teardown(() => place.remove())
  const found = await overSql(place, async query => {
    // When all tests run, the database is a copy of a migrated template.
    await query('drop schema public cascade')
    await query('create schema public')
    await query(dump)
    return work(query)
  })
  return { place, found }
}

/** Runs SQL on the database of a place while no hub is there, and migrates nothing. */
async function overSql<Result> (place: Place, work: (query: Query) => Promise<Result>): Promise<Result> {
  if (place.databaseUrl !== undefined) return withClient(new pg.Client(place.databaseUrl), work)
  const server = await startEmbeddedServer({ dataDirectory: place.dataDirectory }, log)
  try {
    const { dbName, ...connection } = server.connection
    return await withClient(new pg.Client({ ...connection, database: dbName }), work)
  } finally {
    await server.close()
  }
}

async function withClient<Result> (client: pg.Client, work: (query: Query) => Promise<Result>): Promise<Result> {
  await client.connect()
  try {
    return await work(async (text, values) => (await client.query(text, values && [...values])).rows)
  } finally {
    await client.end()
  }
}

interface LiveBefore {
  key: string
  dueAt: string
  claimedAt: string | null
  heartbeatAt: string | null
}

async function readBefore (query: Query) {
  const tables = await query<
    { name: string }
  >("select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'linker_migrations'")
  const problemsOf = async (table: string): Promise<string[]> =>
    (await query<{ problem: string }>(`select jsonb_array_elements_text(problems) as problem from ${table}`))
      .map(({ problem }) => problem)
  return {
    counts: await countRows(query, tables.map(({ name }) => name)),
    ledger: await readLedger(query),
    jobs: await query<LiveBefore>(`
      select jobs.idempotency_key as key, start_after::text as "dueAt", started_on::text as "claimedAt",
        case when live.state = 'active' then heartbeat_on::text end as "heartbeatAt"
      from pgboss.job as live
      join jobs on jobs.id = live.id and jobs.lane = live.name
      order by jobs.idempotency_key collate "C"`),
    problems: { orders: await problemsOf('orders'), offers: await problemsOf('offers') }
  }
}

async function countRows (query: Query, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await query<{ count: number }>(`select count(*)::integer as count from ${table}`)
    counts[table] = row?.count ?? 0
  }
  return counts
}

/** The columns of `jobs` in older versions. */
function readLedger (query: Query): Promise<object[]> {
  return query(`
    select id, job_type, lane, connection_id, object_key, command_order, idempotency_key, payload, request_id, outcome,
      coalesced_into, failures, crashes, adapter, attempts, result, problem, created_at::text, finished_at::text,
      died_at::text
    from jobs
    order by id`)
}

function readLive (query: Query): Promise<(Standing & LiveBefore)[]> {
  return query(`
    select idempotency_key as key, state, claims, is_suspect as "isSuspect", due_at::text as "dueAt",
      claimed_at::text as "claimedAt", heartbeat_at::text as "heartbeatAt"
    from jobs
    where state is not null
    order by idempotency_key collate "C"`)
}

/**
 * Makes a handler that notes the begin and the end of each run, and the runs that began while
 * another run of their object was under way.
 */
function createRecorder (jobs: Jobs): { handler: JobHandler, events: string[], overlaps: string[] } {
  const events: string[] = []
  const overlaps: string[] = []
  const busy = new Set<string>()
  return {
    events,
    overlaps,
    async handler ({ id }) {
      const [job] = await jobs.database.query<{ key: string, object: string }>(
        "select idempotency_key as key, lane || ' ' || object_key as object from jobs where id = $1",
        [id]
      )
      if (job === undefined) throw new Error(`no job ${id}`)
      if (busy.has(job.object)) overlaps.push(job.key)
      busy.add(job.object)
      events.push(`begin ${job.key}`)
      // Waits so long that a forbidden run would have begun.
      await sleep(20)
      events.push(`end ${job.key}`)
      busy.delete(job.object)
      return {}
    }
  }
}

function begun (events: readonly string[]): string[] {
  return events.filter(event => event.startsWith('begin ')).map(event => event.slice('begin '.length)).toSorted()
}

async function endedByKey (jobs: Jobs, some: readonly string[]): Promise<void> {
  await ended(jobs, some.map(jobIdOf))
}

async function waitingKeys (jobs: Jobs): Promise<string[]> {
  return (await readLive(jobs.database.query)).map(({ key }) => key)
}
