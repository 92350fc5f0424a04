import { Redis } from 'ioredis'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openDatabase, type Database } from '../../src/database/database.ts'
import { inboundStream, jobsStream, type Fields, type StreamPort } from '../../src/streams/port.ts'
import { createTableStreams } from '../../src/streams/postgres.ts'
import { createRedisStreams } from '../../src/streams/redis.ts'
import { copyEmbeddedDatabase, createServerDatabase } from '../databases.ts'

/** A stream port on its own server, and the means of a test to look behind the port. */
export interface StreamDriver {
  streams: StreamPort
  /** Another port on the same server, as another process has it. Closed with the driver. */
  openAnother(): Promise<StreamPort>
  /** Stores a connection with its version; the version only ever grows. */
  setVersion(connectionId: string, version: number): Promise<void>
  entries(stream: string): Promise<{ id: string, fields: Fields }[]>
  /**
   * Writes an entry as a foreign program does. `isOld` makes the entry older than a marker can be.
   */
  add(stream: string, fields: Fields, isOld?: boolean): Promise<string>
  markerTtlSeconds(stream: string, key: string): Promise<number | undefined>
  expireMarker(stream: string, key: string): Promise<void>
  /** Makes pending entries look as if nobody had touched them for `ms`. */
  makeIdle(stream: string, group: string, ids: readonly string[], ms: number): Promise<void>
  pending(stream: string, group: string): Promise<string[]>
  clear(): Promise<void>
  close(): Promise<void>
}

export const silentLog = { info () {}, warn () {}, error () {} }

/**
 * Prints which part of the matrix is left out, or throws when LINKER_TEST_REQUIRE_SERVERS forbids
 * that.
 */
export function leaveOut (t: Test, what: string): void {
  const message = `Left out: the streams on ${what}`
  if (process.env.LINKER_TEST_REQUIRE_SERVERS === '1') throw new Error(`${message}, and LINKER_TEST_REQUIRE_SERVERS=1`)
  console.error(message)
  t.pass(`the streams on ${what}`, { skip: message })
}

export interface TableDriver extends StreamDriver {
  database: Database
  /** Absent when embedded. */
  databaseUrl?: string
}

/**
 * Opens streams on tables: in a new database of the PostgreSQL server, or in an embedded database
 * without a URL.
 */
export async function openTableDriver (serverUrl?: string): Promise<TableDriver> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-streams-'))
  const own = serverUrl === undefined ? undefined : await createServerDatabase(serverUrl, { waitsForDisk: true })
  if (own === undefined) copyEmbeddedDatabase(directory)
  const database = await openDatabase({
    ...(own === undefined ? {} : { databaseUrl: own.url }),
    dataDirectory: directory
  }, silentLog)
  const { query } = database
  const open = () => createTableStreams({ database, log: silentLog })
  const streams = open()
  return {
    database,
    ...(own === undefined ? {} : { databaseUrl: own.url }),
    streams,
    openAnother: async () => open(),
    async setVersion (connectionId, version) {
      await query(
        `insert into connections (id, platform_type, name, status, config, adapter_key, capabilities, webhook_scheme,
          version, created_at, updated_at)
        values ($1, 'shopa', 'shop', 'active', '{}', 'shopa.webservice.v1', '[]', 'hmac', $2, now(), now())
        on conflict (id) do update set version = excluded.version`,
        [connectionId, version]
      )
    },
    async entries (stream) {
      const rows = await query<{ id: string, fields: string }>(
        'select id::text as id, fields::text as fields from stream_messages where stream = $1 order by ' +
          'stream_messages.id',
        [stream]
      )
      return rows.map(({ id, fields }) => ({ id, fields: JSON.parse(fields) as Fields }))
    },
    async add (stream, fields, isOld = false) {
      const [row] = await query<{ id: string }>(
        `insert into stream_messages (stream, fields${isOld ? ', expires_at' : ''}) values ($1, $2${
          isOld ? ", now() - interval '1 second'" : ''
        }) returning id::text as id`,
        [stream, JSON.stringify(fields)]
      )
      return row?.id ?? ''
    },
    async markerTtlSeconds (stream, key) {
      const [row] = await query<{ seconds: string }>(
        'select extract(epoch from expires_at - published_at) as seconds from stream_messages where stream = $1 and ' +
          'key = $2 and expires_at > now()',
        [stream, key]
      )
      return row === undefined ? undefined : Number(row.seconds)
    },
    async expireMarker (stream, key) {
      await query('update stream_messages set expires_at = now() where stream = $1 and key = $2', [stream, key])
    },
    async makeIdle (stream, _group, ids, ms) {
      await query(
        "update stream_messages set delivered_at = now() - $3 * interval '1 millisecond' where stream = $1 and id = " +
          'any($2::bigint[])',
        [stream, ids, ms]
      )
    },
    async pending (stream) {
      const rows = await query<{ id: string }>(
        'select id::text as id from stream_messages where stream = $1 and delivered_at is not null and acked_at is ' +
          'null order by stream_messages.id',
        [stream]
      )
      return rows.map(row => row.id)
    },
    async clear () {
      await query('truncate stream_messages, connections cascade')
    },
    async close () {
      await streams.close()
      await database.close()
      await own?.drop()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

export interface RedisDriver extends StreamDriver {
  redis: Redis
  url: string
  /** Ends the server as a crash does, and starts an empty one at the same address. */
  stopServer(): Promise<void>
  startServer(): Promise<void>
}

export function hasRedisServer (): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/**
 * Opens streams on a Redis that this process starts, so that a test may fill, stop and misconfigure
 * that Redis.
 */
export async function openRedisDriver (): Promise<RedisDriver> {
  const port = await freePort()
  let server = await startRedisServer(port)
  const url = `redis://127.0.0.1:${port}`
  const redis = new Redis(url)
  redis.on('error', () => undefined)
  const opened: StreamPort[] = []
  async function openAnother (): Promise<StreamPort> {
    const streams = await createRedisStreams({ url, log: silentLog })
    opened.push(streams)
    return streams
  }
  return {
    redis,
    url,
    streams: await openAnother(),
    openAnother,
    async setVersion (connectionId, version) {
      await opened[0]?.setEpoch(connectionId, version)
    },
    async entries (stream) {
      return (await redis.xrange(stream, '-', '+')).map(([id, parts]) => ({ id, fields: toFields(parts) }))
    },
    async add (stream, fields, isOld = false) {
      const oldId = `1000-${await redis.xlen(stream) + 1}`
      return await redis.xadd(stream, isOld ? oldId : '*', ...Object.entries(fields).flat()) ?? ''
    },
    // Counts from the id of the entry, which is a time in milliseconds, to the end of the marker:
    // the driver writes both in one step.
    async markerTtlSeconds (stream, key) {
      const endsMs = await redis.pexpiretime(key)
      const [[id] = ['']] = await redis.xrevrange(stream, '+', '-', 'COUNT', 1)
      return endsMs < 0 ? undefined : Math.round((endsMs - Number.parseInt(id)) / 1_000)
    },
    async expireMarker (_stream, key) {
      await redis.pexpire(key, 0)
    },
    async makeIdle (stream, group, ids, ms) {
      await redis.call('XCLAIM', stream, group, 'a-dead-consumer', 0, ...ids, 'IDLE', ms, 'JUSTID')
    },
    async pending (stream, group) {
      return (await redis.xpending(stream, group, '-', '+', 100_000)).map(item => String((item as [string])[0]))
    },
    async clear () {
      await redis.flushdb()
      await opened[0]?.ensureGroup(inboundStream, 'webhook-handler')
      await opened[0]?.ensureGroup(jobsStream, 'sync-worker')
    },
    stopServer: () => stopRedisServer(server),
    async startServer () {
      server = await startRedisServer(port)
    },
    async close () {
      await Promise.all(opened.map(streams => streams.close()))
      redis.disconnect()
      await stopRedisServer(server)
    }
  }
}

function toFields (parts: readonly string[]): Fields {
  return Object
    .fromEntries(Array.from(
      { length: parts.length / 2 },
      (_, index) => [parts[2 * index] ?? '', parts[2 * index + 1] ?? '']
    ))
}

/**
 * A port where nothing listens, below the range from which the system gives ports to processes that
 * ask for any port.
 */
export async function freePort (): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    if (!await once(server, 'listening').then(() => true, () => false)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

export async function startRedisServer (port: number, ...settings: string[]): Promise<ChildProcess> {
  // Each server has its own folder: two servers in one folder overwrite each other's files.
  const directory = await mkdtemp(join(tmpdir(), 'linker-redis-'))
  // With one entry per node, trimming by whole nodes is exact.
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    directory,
    '--stream-node-max-entries',
    '1',
    ...settings
  ], { stdio: 'ignore' })
  function end (): void {
    server.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', end)
  server.once('exit', () => {
    process.off('exit', end)
    end()
  })
  while (!await answers(port)) {
    if (!isRunning(server)) throw new Error(`redis-server ended while it started on port ${port}`)
  }
  return server
}

function isRunning (server: ChildProcess): boolean {
  return server.exitCode === null && server.signalCode === null
}

export async function stopRedisServer (server: ChildProcess): Promise<void> {
  if (!isRunning(server)) return
  server.kill('SIGKILL')
  await once(server, 'exit')
}

function answers (port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => {
    socket.destroy()
    resolve(true)
  })
  socket.once('error', () => {
    setTimeout(resolve, 25, false)
  })
  return promise
}
