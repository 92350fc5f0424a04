import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import root, { type Test } from 'tap'
import { openDatabase, type Database, type Query } from '../../src/database/database.ts'
import { entities } from '../../src/entities.ts'
import { createEnqueue, type EnqueueJobs } from '../../src/jobs/enqueue.ts'
import { setHold } from '../../src/jobs/holds/store.ts'
import type { JobRecord, JobRequest, JobType } from '../../src/jobs/job.ts'
import type { JobLog } from '../../src/jobs/log.ts'
import { watchForDeadWorkers } from '../../src/jobs/queue/dead-workers.ts'
import { createJobWorker, type JobWorker, type JobWorkerOptions } from '../../src/jobs/queue/job-worker.ts'
import type { JobHandler, JobOutcome, RunningJob } from '../../src/jobs/running-job.ts'
import { getJob } from '../../src/jobs/store.ts'
import { waitForJob } from '../../src/jobs/wait-for-job.ts'
import { copyEmbeddedDatabase, createServerDatabase } from '../databases.ts'

export type Kind = 'embedded' | 'postgres'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL

/**
 * Returns the databases that this run can use. When one is missing, prints a line, or throws if the
 * run must use all of them.
 */
export function kinds (t: Test): Kind[] {
  if (serverUrl !== undefined) return ['embedded', 'postgres']
  const message = 'Left out: the jobs on PostgreSQL, as LINKER_TEST_DATABASE_URL is not set'
  if (process.env.LINKER_TEST_REQUIRE_SERVERS === '1') throw new Error(message)
  console.error(message)
  t.pass('the jobs on PostgreSQL', { skip: message })
  return ['embedded']
}

/**
 * The database that costs a test the least time: opening an embedded one takes more than a second.
 * It is enough for statements that other tests run on both.
 */
export const cheapestKind: Kind = serverUrl === undefined ? 'embedded' : 'postgres'

export interface Place {
  databaseUrl?: string
  dataDirectory: string
  remove(): Promise<void>
}

/**
 * Makes a database for one test: a new one on the server, or a directory. Without `hasTables`, the
 * first to open it chooses the migrations.
 */
export async function makePlace (kind: Kind, { hasTables = true } = {}): Promise<Place> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'linker-jobs-'))
  const removeDirectory = (): Promise<void> => rm(dataDirectory, { recursive: true, force: true })
  if (kind === 'embedded' || serverUrl === undefined) {
    if (hasTables) copyEmbeddedDatabase(dataDirectory)
    return { dataDirectory, remove: removeDirectory }
  }
  const own = await createServerDatabase(serverUrl, { hasTables })
  return {
    dataDirectory,
    databaseUrl: own.url,
    async remove () {
      await own.drop()
      await removeDirectory()
    }
  }
}

export interface Entry {
  level: string
  fields: object
  message: string
}

export interface Jobs {
  database: Database
  enqueueJobs: EnqueueJobs
  log: JobLog & { entries: Entry[] }
  /** Stops the workers and removes the rows of the previous test. */
  clear(): Promise<void>
  addConnection(status?: string): Promise<string>
  setStatus(connectionId: string, status: string): Promise<void>
  /** Runs every job by `handler` until the test ends. */
  startWorker(handler: JobHandler, options?: Partial<JobWorkerOptions>): JobWorker
  /** Makes every waiting job due now. */
  makeDue(): Promise<void>
  close(): Promise<void>
}

export const typeOf = (name: string): JobType => ({
  lane: name.startsWith('command.') ? 'command' : 'state',
  objectKey: request => `${request.connectionId ?? ''}:${String(request.payload.object ?? '')}`
})

export async function openJobs (place: Place): Promise<Jobs> {
  const log = recordingLog()
  const database = await openDatabase(place, log, entities)
  const watch = await watchForDeadWorkers({ database, log })
  const enqueueJobs = createEnqueue({ database, jobTypeOf: typeOf })
  const workers: JobWorker[] = []

  async function stopWorkers (): Promise<void> {
    await Promise.all(workers.splice(0).map(worker => worker.stop()))
  }

  return {
    database,
    enqueueJobs,
    log,
    async clear () {
      await stopWorkers()
      log.entries.length = 0
      for (
        const table of [
          'redrives',
          'jobs',
          'job_holds',
          'api_tokens',
          'sign_in_codes',
          'orders',
          'offers',
          'stock',
          'variants',
          'products',
          'connections'
        ]
      ) {
        await database.query(`delete from ${table}`)
      }
    },
    async addConnection (status = 'active') {
      const id = randomUUID()
      await database.query(
        `
        insert into connections (id, platform_type, name, status, config, adapter_key, capabilities, webhook_scheme,
          version, created_at, updated_at)
        values ($1, 'mktb', 'test', $2, '{}', 'mktb', '[]', 'hmac', 1, now(), now())`,
        [id, status]
      )
      await setHold(database.query, id, 'inactive', status !== 'active')
      return id
    },
    async setStatus (connectionId, status) {
      await database.query('update connections set status = $2 where id = $1', [connectionId, status])
      await setHold(database.query, connectionId, 'inactive', status !== 'active')
      database.notify('jobs')
    },
    startWorker (handler, options = {}) {
      const worker = createJobWorker({
        ...workerDefaults,
        database,
        enqueueJobs,
        log,
        findHandler: () => handler,
        ...options
      })
      workers.push(worker)
      worker.start()
      return worker
    },
    async makeDue () {
      await database.query("update jobs set due_at = now() where state in ('queued', 'returned')")
      database.notify('jobs')
    },
    async close () {
      await stopWorkers()
      await watch.stop()
      await database.close()
    }
  }
}

export const workerDefaults = {
  concurrency: 16,
  perConnection: 16,
  deadlineMs: 30_000,
  graceMs: 1_000,
  stopMs: 10_000,
  onAuthenticationFailure: async () => undefined,
  now: () => new Date(),
  random: () => 1
}

export function recordingLog (): JobLog & { entries: Entry[] } {
  const entries: Entry[] = []
  const level = (name: string) => (fields: object, message: string): void => {
    entries.push({ level: name, fields, message })
  }
  return { entries, info: level('info'), warn: level('warn'), error: level('error') }
}

/** Makes a request for a state job on an object. Every call requests another job. */
export function stateJob (object: string, more: Partial<JobRequest> = {}): JobRequest {
  return { jobType: 'state.sync', connectionId: null, payload: { object }, idempotencyKey: randomUUID(), ...more }
}

export function commandJob (object: string, more: Partial<JobRequest> = {}): JobRequest {
  return stateJob(object, { jobType: 'command.run', ...more })
}

const shared = new Map<Kind, Promise<Jobs>>()

/**
 * Opens a queue that the tests of this process share. It is emptied before each subtest and after
 * the test.
 */
export async function openJobsFor (t: Test, kind: Kind): Promise<Jobs> {
  const opening = shared.get(kind) ?? openOwnJobs(root, kind)
  shared.set(kind, opening)
  const jobs = await opening
  t.teardown(() => jobs.clear())
  t.beforeEach(() => jobs.clear())
  return jobs
}

/** Opens a queue on a database of its own. Both are removed at the end of the test. */
export async function openOwnJobs (t: Pick<Test, 'teardown'>, kind: Kind): Promise<Jobs> {
  const place = await makePlace(kind)
  const jobs = await openJobs(place)
  t.teardown(async () => {
    await jobs.close()
    await place.remove()
  })
  return jobs
}

/**
 * Makes a handler whose runs wait until the test lets them go. The test can wait for their starts.
 */
export interface Gate {
  handler: JobHandler
  started: RunningJob[]
  /** Resolves when this many runs have started in all. */
  reached(count: number): Promise<void>
  open(): void
}

export function createGate (outcome: JobOutcome = {}): Gate {
  const started: RunningJob[] = []
  const opening = Promise.withResolvers<void>()
  const waiting: { count: number, resolve(): void }[] = []
  return {
    started,
    async handler (job) {
      started.push(job)
      for (const { count, resolve } of waiting) if (started.length >= count) resolve()
      await opening.promise
      return outcome
    },
    reached: count =>
      new Promise(resolve => {
        waiting.push({ count, resolve })
        if (started.length >= count) resolve()
      }),
    open: opening.resolve
  }
}

// Far longer than a busy machine needs: a test that waits this long waits in vain.
const patienceMs = 300_000

/** Waits until every one of these jobs has ended. */
export async function ended (jobs: Jobs, ids: readonly string[]): Promise<JobRecord[]> {
  const records = await Promise
    .all(ids.map(id => waitForJob(jobs.database.query, id, patienceMs, new AbortController().signal)))
  return records.map((record, index) => {
    if (record === undefined || record.finishedAt === null) {
      throw new Error(`job ${ids[index]} did not end: ${JSON.stringify(record)}`)
    }
    return record
  })
}

/** Waits until nothing is in the live queue. */
export async function drained (jobs: Jobs): Promise<void> {
  for (let look = 0; look < patienceMs / 25; look++) {
    const [row] = await jobs.database.query<
      { live: number }
    >('select count(*)::int as live from (select from jobs where state is not null limit 1) as job')
    if (row?.live === 0) return
    await new Promise(resolve => {
      setTimeout(resolve, 25)
    })
  }
  throw new Error('the queue was never empty')
}

/** Returns the present job. Throws when it does not exist. */
export async function read (jobs: Jobs, id: string): Promise<JobRecord> {
  const record = await getJob(jobs.database.query, id)
  if (record === undefined) throw new Error(`no job ${id}`)
  return record
}

/** Resolves when the job has had this many attempts and is not running. */
export async function attempted (jobs: Jobs, id: string, count: number): Promise<JobRecord> {
  for (let look = 0; look < patienceMs / 10; look++) {
    const record = await read(jobs, id)
    if (record.attempts.length >= count && record.status !== 'running') return record
    await new Promise(resolve => {
      setTimeout(resolve, 10)
    })
  }
  throw new Error(`job ${id} has not had ${count} attempts: ${JSON.stringify(await read(jobs, id))}`)
}

/** Returns the number of failed attempts of a job. */
export async function failuresOf ({ database }: Jobs, id: string): Promise<number | undefined> {
  return (await database.query<{ failures: number }>('select failures from jobs where id = $1', [id]))[0]?.failures
}

export async function enqueueOne (jobs: Jobs, request: JobRequest): Promise<string> {
  const [enqueued] = await jobs.enqueueJobs([request])
  if (enqueued === undefined) throw new Error('nothing was enqueued')
  return enqueued.id
}

/** Waits until some statement of this PostgreSQL database waits for a lock. */
export async function blocked (query: Query): Promise<void> {
  const statement = `
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await query(statement)).length === 0) await new Promise(setImmediate)
}
