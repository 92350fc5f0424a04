import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Mode } from '../../support/modes.ts'
import { defineBench, type BenchContext } from '../bench.ts'
import { openReport } from '../report/report.ts'
import { runAutovacuum } from '../tools/autovacuum.ts'
import { followClock, openMovedClock, type MovedClock } from '../tools/moved-clock.ts'
import { openOneJobHub, type OneJobAdapter, type OneJobHub } from '../tools/one-job-hub.ts'
import { openRunningDatabase } from '../tools/running-database.ts'
import type { Place, Query } from '../tools/with-database.ts'

type Name = 'events-per-day' | 'steps-per-day' | 'days'
type Options = BenchContext<Name>['options']

interface Sizes {
  total: number
  log?: number
  jobs: number
  streams: number
  keptJobs: number
  keptMarkers: number
  perJob: number
  perMarker: number
  dead: number
}

const connections = 10
const leftOut = 'left out in mode full: the clock of Redis cannot be moved, and the ledger is that of mode postgres'
const dayMs = 86_400_000
const mebibyte = 1024 ** 2
/** One in so many jobs dies. */
const deadEvery = 100
const grownShare = 0.99
const mostTries = 5
const sendAgainMs = 1_000
const quietLooks = 3
const lookEveryMs = 100

const mortal: OneJobAdapter = {
  platformType: 'mortal',
  config: { type: 'object' },
  connect: '() => ({})',
  run: `async (_client, { payload }) => {
    if (Number(payload.externalId) % ${deadEvery} > 0) return {}
    throw Object.assign(new Error('refused'), { code: 'LNK_ADAPTER_REJECTED' })
  }`
}

/**
 * Simulates weeks of a hub and reads how large its tables are, until retention and vacuum keep them
 * at one size. The hub is real and runs through; only its clock and that of its database are moved.
 */
export const retention = defineBench<Name>({
  name: 'retention',
  options: { 'events-per-day': 5_000, days: 21, 'steps-per-day': 4 },
  async run ({ modes, environment, runs, options }) {
    const { 'events-per-day': events, 'steps-per-day': steps } = options
    for (const mode of modes) {
      if (mode === 'full') {
        console.log(`\nretention: ${leftOut}`)
        continue
      }
      const report = openReport({
        name: `retention-${mode}`,
        title: `The database after days of ${events} events, ${mode}`,
        method: `each event has 500 bytes and starts a job that does nothing, one in ${deadEvery} dies; the clock ` +
          `moves ${steps} times a day; ${vacuumIn(mode)}`,
        runs,
        columns: {
          day: { heading: 'day' },
          total: { heading: 'total MiB', digits: 1 },
          jobs: { heading: 'jobs MiB', digits: 1 },
          streams: { heading: 'streams MiB', digits: 1 },
          log: { heading: 'log MiB' },
          keptJobs: { heading: 'kept jobs' },
          keptMarkers: { heading: 'kept markers' },
          perJob: { heading: 'bytes/job' },
          perMarker: { heading: 'bytes/marker' },
          dead: { heading: 'dead rows' }
        },
        main: 'total'
      })
      const sizes = await simulate(mode, environment, options)
      const last = sizes.length - 1
      const row = (title: string, day: number): string => report.hub(title, { day, ...sizes[day] })
      const { total = 0, jobs = 0, streams = 0 } = sizes[0] ?? {}
      report.hub('empty', { day: 0, total, jobs, streams })
      for (let day = 1; day <= last; day += 1) if (day === 1 || day % 7 === 0 || day === last) row(`day ${day}`, day)
      const largest = Math.max(...sizes.map(({ total }) => total))
      row('within 1 % of its largest', sizes.findIndex(({ total }) => total >= grownShare * largest))
      await report.keep()
    }
  }
})

function vacuumIn (mode: Mode): string {
  return mode === 'embedded'
    ? 'only the hub vacuums; the write-ahead log comes on top of the total'
    : 'after each move, tables are vacuumed by the thresholds of autovacuum'
}

/** Returns the sizes before the first day and after each. */
async function simulate (mode: Mode, environment: NodeJS.ProcessEnv, options: Options): Promise<Sizes[]> {
  const clock = await openMovedClock()
  try {
    const hub = await openOneJobHub(mode, environment, mortal, {
      fill: mode === 'embedded' ? undefined : followClock,
      variables: clock.variables,
      now: clock.now
    })
    try {
      return await passDays({ mode, clock, hub, options })
    } finally {
      await hub.close()
    }
  } finally {
    await clock.close()
  }
}

interface Simulation {
  mode: Mode
  clock: MovedClock
  hub: OneJobHub
  options: Options
}

async function passDays ({ mode, clock, hub, options }: Simulation): Promise<Sizes[]> {
  const { 'events-per-day': events, 'steps-per-day': steps, days } = options
  const { query, close } = await openRunningDatabase(hub.place)
  const server = mode === 'embedded' ? undefined : query
  try {
    const connectionIds = await hub.connect(connections)
    const sizes = [await readSizes(query, hub.place)]
    let sent = 0
    for (let step = 1; step <= days * steps; step += 1) {
      const count = Math.round(step * events / steps) - sent
      await sendAll(hub, hub.prepare(connectionIds, count))
      sent += count
      await hub.waitForSucceeded(sent - Math.ceil(sent / deadEvery))
      await untilQuiet(hub)
      await clock.move(dayMs / steps, server)
      await untilQuiet(hub)
      if (server !== undefined) await runAutovacuum(server)
      if (step % steps === 0) sizes.push(await readSizes(query, hub.place))
    }
    return sizes
  } finally {
    await close()
  }
}

/** Sends events again when the hub refused some, as a platform does. It knows those that it has. */
async function sendAll (hub: OneJobHub, requests: readonly Buffer[]): Promise<void> {
  for (let tries = 1;; tries += 1) {
    try {
      await hub.send(requests)
      return
    } catch (error) {
      if (tries === mostTries) throw error
      console.log(`${String(error)}; sending them again`)
      await wait(sendAgainMs)
    }
  }
}

/** Waits until the hub has cleaned and vacuumed: embedded, its answers wait for that. */
async function untilQuiet ({ api }: OneJobHub): Promise<void> {
  for (let looks = 0; looks < quietLooks; looks += 1) {
    await wait(lookEveryMs)
    await api('GET', '/jobs?limit=1')
  }
}

const selectSizes = `
  select pg_database_size(current_database())::float8 as total,
    pg_total_relation_size('jobs')::float8 as jobs,
    pg_total_relation_size('stream_messages')::float8 as streams,
    (select count(*) from jobs)::float8 as "keptJobs",
    (select count(*) from stream_messages)::float8 as "keptMarkers",
    (select sum(n_dead_tup) from pg_stat_user_tables)::float8 as dead`

async function readSizes (query: Query, { directory, state }: Place): Promise<Sizes> {
  const [row] = await query<Omit<Sizes, 'perJob' | 'perMarker'>>(selectSizes)
  if (row === undefined) throw new Error('the database tells no sizes')
  const { total, jobs, streams, keptJobs, keptMarkers } = row
  return {
    ...row,
    total: total / mebibyte,
    jobs: jobs / mebibyte,
    streams: streams / mebibyte,
    perJob: jobs / Math.max(1, keptJobs),
    perMarker: streams / Math.max(1, keptMarkers),
    ...state.mode === 'embedded'
      ? { log: await sizeOf(join(directory, '.linker', 'database', 'pg_wal')) / mebibyte }
      : {}
  }
}

async function sizeOf (directory: string): Promise<number> {
  const names = await readdir(directory)
  const sizes = await Promise.all(names.map(async name => (await stat(join(directory, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
