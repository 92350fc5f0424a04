import { Redis } from 'ioredis'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Mode } from '../../support/modes.ts'
import type { Column } from '../report/results.ts'
import { cpuMicroseconds, cpuWithEndedChildren } from './measured-process.ts'

/** What the servers of a hub used for each event. */
export type ServerFigure = 'databaseCpu' | 'wal' | 'transactions' | 'redisCpu' | 'markers'

/** A figure that cannot be read is absent. */
export type ServerFigures = Readonly<Partial<Record<ServerFigure, number>>>

/**
 * Reads what PostgreSQL and Redis have used so far. The figures are those of the whole servers,
 * because a server process that has ended belongs to no database any more: other users of the
 * servers count, too.
 *
 * - `databaseCpu`: microseconds of all processes of PostgreSQL; without the kernel's writing to the
 *   disk. Only on Linux, and only of a server on this machine.
 * - `wal`: bytes of the write-ahead log. `transactions`: those that wrote something.
 * - `redisCpu`: microseconds of the process of Redis.
 * - `markers`: bytes that Redis holds outside the streams of the hub; nearly all are the markers
 *   that recognise repeated events and jobs. The buffers of its clients count, too.
 */
export interface ServerMeter {
  read(): Promise<ServerFigures>
  close(): Promise<void>
}

export const serverColumns: Readonly<Record<ServerFigure, Column>> = {
  databaseCpu: { heading: 'database CPU µs/event', digits: 1 },
  wal: { heading: 'WAL bytes/event' },
  transactions: { heading: 'transactions/event', digits: 3 },
  redisCpu: { heading: 'Redis CPU µs/event', digits: 1 },
  markers: { heading: 'marker bytes/event' }
}

const figuresOf: Readonly<Record<Mode, readonly ServerFigure[]>> = {
  embedded: [],
  postgres: ['databaseCpu', 'wal', 'transactions'],
  full: ['databaseCpu', 'wal', 'transactions', 'redisCpu', 'markers']
}

/** The columns of the servers that a mode has. A report prints no figure without its column. */
export function serverColumnsOf (mode: Mode): Readonly<Record<ServerFigure, Column>> {
  const columns = figuresOf[mode].map(name => [name, serverColumns[name]])
  return Object.fromEntries(columns) as Record<ServerFigure, Column>
}

/** `variables` are those of a mode. An embedded database is part of the hub's own process. */
export async function openServerMeter (variables: Readonly<Record<string, string>>): Promise<ServerMeter> {
  const { DATABASE_URL, REDIS_URL } = variables
  const database = DATABASE_URL === undefined ? undefined : await openDatabaseMeter(DATABASE_URL)
  const redis = REDIS_URL === undefined ? undefined : openRedisMeter(REDIS_URL)
  return {
    async read () {
      return { ...await database?.read(), ...await redis?.read() }
    },
    async close () {
      await Promise.all([database?.close(), redis?.close()])
    }
  }
}

/** What each of so many events used between two readings. */
export function useOfEach (before: ServerFigures, after: ServerFigures, events: number): ServerFigures {
  const names = Object.keys(serverColumns) as ServerFigure[]
  return Object.fromEntries(names.flatMap(name => {
    const [from, to] = [before[name], after[name]]
    return from === undefined || to === undefined ? [] : [[name, (to - from) / events]]
  }))
}

const selectWritten = `
  select pg_current_wal_insert_lsn() - '0/0' as wal, pg_snapshot_xmax(pg_current_snapshot())::text as transactions`

async function openDatabaseMeter (url: string): Promise<ServerMeter> {
  const client = new pg.Client({ connectionString: url, application_name: 'linker-bench' })
  // The next question fails; without this the whole program would end.
  client.on('error', () => undefined)
  await client.connect()
  const { rows: [own] } = await client.query<
    { pid: number, name: string }
  >('select pg_backend_pid() as pid, current_database() as name')
  const server = own === undefined ? undefined : findServer(own)
  return {
    async read () {
      const { rows: [written] } = await client.query<{ wal: string, transactions: string }>(selectWritten)
      return {
        ...(server === undefined ? {} : { databaseCpu: cpuOfServer(server) }),
        wal: Number(written?.wal),
        transactions: Number(written?.transactions)
      }
    },
    close: () => client.end()
  }
}

/**
 * Returns the first process of PostgreSQL, the parent of the one that serves us. The ids of a
 * server on another machine or in a container are those of other processes here, so the title of
 * the process must name our database.
 */
function findServer ({ pid, name }: { pid: number, name: string }): number | undefined {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    readFileSync(childrenOf(parent))
    return title.startsWith('postgres') && title.includes(name) ? parent : undefined
  } catch {
    return undefined
  }
}

const childrenOf = (pid: number): string => `/proc/${pid}/task/${pid}/children`

function cpuOfServer (server: number): number {
  const children = readFileSync(childrenOf(server), 'utf8').trim().split(' ').map(Number)
  return children.reduce((sum, pid) => sum + cpuUnlessEnded(pid), cpuWithEndedChildren(server))
}

/** The time of a child that has just ended counts as its parent's. */
function cpuUnlessEnded (pid: number): number {
  try {
    return cpuMicroseconds(pid)
  } catch {
    return 0
  }
}

const streams = ['events.inbound.webhooks', 'jobs.sync']

function openRedisMeter (url: string): ServerMeter {
  const redis = new Redis(url, { connectionName: 'linker-tests' })
  return {
    async read () {
      const info = `${await redis.info('cpu')}${await redis.info('memory')}`
      const value = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1])
      const inStreams = await Promise.all(streams.map(name => redis.memory('USAGE', name, 'SAMPLES', 0)))
      return {
        redisCpu: 1_000_000 * (value('used_cpu_user') + value('used_cpu_sys')),
        markers: value('used_memory') - inStreams.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
      }
    },
    async close () {
      redis.disconnect()
    }
  }
}
