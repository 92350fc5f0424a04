import { Redis } from 'ioredis'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { eventually } from './api.ts'
import { freePort } from './free-port.ts'

/** A primary and its replica, which a test makes change places. */
export interface RedisPair {
  /** The addresses of the servers: first the one that begins as the primary. */
  urls: readonly [string, string]
  /** A client of the first server. */
  primary: Redis
  /**
   * Makes the second server the primary once it has all data, and the first its replica, which
   * keeps its connections.
   */
  swap(): Promise<void>
  /** Starts three Sentinels that watch the primary. Returns the address with all of them. */
  watch(): Promise<string>
  /** Stops the first server without closing its connections; `thaw` lets it go on. */
  freeze(): void
  thaw(): void
  /** Waits until the first server is a replica. */
  demoted(): Promise<void>
}

const primaryName = 'linker-tests'
const sentinels = 3
/** Two of the Sentinels must find the primary away before they choose another. */
const quorum = 2
const pauseMs = 10_000

export function hasRedisServer (): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** Starts the pair on free ports of 127.0.0.1. All servers end with the test. */
export async function startRedisPair (t: Pick<Test, 'teardown'>): Promise<RedisPair> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-redis-pair-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))

  async function start (...args: readonly string[]): Promise<{ port: number, server: ChildProcess, redis: Redis }> {
    const port = await freePort()
    const server = spawn('redis-server', [...args, '--port', String(port), '--bind', '127.0.0.1', '--dir', directory], {
      stdio: 'ignore'
    })
    const redis = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null })
    redis.on('error', () => undefined)
    t.teardown(async () => {
      redis.disconnect()
      const exited = once(server, 'exit')
      if (server.exitCode === null && server.kill('SIGKILL')) await exited
    })
    await redis.ping()
    return { port, server, redis }
  }

  const settings = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0']
  const first = await start(...settings)
  const second = await start(...settings, '--replicaof', `127.0.0.1 ${first.port}`)
  await eventually(
    'a replica',
    async () => (await first.redis.info('replication')).includes('state=online') ? true : undefined
  )

  async function startSentinel (index: number): Promise<string> {
    const file = join(directory, `sentinel-${index}.conf`)
    await writeFile(
      file,
      [
        `sentinel monitor ${primaryName} 127.0.0.1 ${first.port} ${quorum}`,
        `sentinel down-after-milliseconds ${primaryName} 1000`,
        `sentinel failover-timeout ${primaryName} 5000`,
        ''
      ].join('\n')
    )
    const { port, redis } = await start(file, '--sentinel')
    await eventually(
      'a Sentinel that knows the replica',
      async () =>
        String(await redis.call('SENTINEL', 'REPLICAS', primaryName)).includes(String(second.port)) ? true : undefined
    )
    return `127.0.0.1:${port}`
  }

  return {
    urls: [`redis://127.0.0.1:${first.port}`, `redis://127.0.0.1:${second.port}`],
    primary: first.redis,
    async swap () {
      await first.redis.client('PAUSE', pauseMs, 'WRITE')
      await eventually('a replica that has everything', async () => {
        const [, sent] = /master_repl_offset:(\d+)/.exec(await first.redis.info('replication')) ?? []
        return (await first.redis.info('replication')).includes(`,offset=${sent},`) ? true : undefined
      })
      await second.redis.call('REPLICAOF', 'NO', 'ONE')
      await first.redis.call('REPLICAOF', '127.0.0.1', second.port)
      await first.redis.client('UNPAUSE')
    },
    async watch () {
      const addresses = await Promise.all(Array.from({ length: sentinels }, (_, index) => startSentinel(index)))
      return `redis+sentinel://${addresses.join(',')}/${primaryName}`
    },
    freeze () {
      first.server.kill('SIGSTOP')
    },
    thaw () {
      first.server.kill('SIGCONT')
    },
    async demoted () {
      await eventually(
        'the old primary to become a replica',
        async () => (await first.redis.info('replication')).includes('role:slave') ? true : undefined
      )
    }
  }
}
