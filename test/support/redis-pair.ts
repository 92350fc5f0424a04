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
  /** The address of the primary. */
  url(): string
  /** A client of the primary. */
  primary(): Redis
  /**
   * Makes the replica the primary once it has all data, and the primary its replica, which keeps
   * its connections.
   */
  swap(): Promise<void>
  /** Starts three Sentinels that watch the primary. Returns the address with all of them. */
  watch(): Promise<string>
  /**
   * Stops the primary without closing its connections, so that Sentinels choose the replica. Waits
   * until the replica has all data: Redis copies it after it has answered.
   */
  freeze(): Promise<void>
  /** Lets the former primary go on. Resolves when it is a replica. */
  thaw(): Promise<void>
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
  let primary = await start(...settings)
  let replica = await start(...settings, '--replicaof', `127.0.0.1 ${primary.port}`)
  await eventually(
    'a replica',
    async () => (await primary.redis.info('replication')).includes('state=online') ? true : undefined
  )

  async function startSentinel (index: number): Promise<string> {
    const file = join(directory, `sentinel-${index}.conf`)
    await writeFile(
      file,
      [
        `sentinel monitor ${primaryName} 127.0.0.1 ${primary.port} ${quorum}`,
        `sentinel down-after-milliseconds ${primaryName} 1000`,
        `sentinel failover-timeout ${primaryName} 5000`,
        ''
      ].join('\n')
    )
    const { port, redis } = await start(file, '--sentinel')
    await eventually(
      'a Sentinel that knows the replica',
      async () =>
        String(await redis.call('SENTINEL', 'REPLICAS', primaryName)).includes(String(replica.port)) ? true : undefined
    )
    return `127.0.0.1:${port}`
  }

  function exchange (): void {
    ;[primary, replica] = [replica, primary]
  }

  /** Lets writes of the primary wait, and waits until a replica, if any, has those before. */
  async function pauseWrites (): Promise<void> {
    const { redis } = primary
    await redis.client('PAUSE', pauseMs, 'WRITE')
    await eventually('a replica that has everything', async () => {
      const info = await redis.info('replication')
      const [, sent] = /master_repl_offset:(\d+)/.exec(info) ?? []
      return info.includes('connected_slaves:0') || info.includes(`,offset=${sent},`) ? true : undefined
    })
  }

  return {
    url: () => `redis://127.0.0.1:${primary.port}`,
    primary: () => primary.redis,
    async swap () {
      const { redis } = primary
      await pauseWrites()
      exchange()
      await primary.redis.call('REPLICAOF', 'NO', 'ONE')
      await redis.call('REPLICAOF', '127.0.0.1', primary.port)
      await redis.client('UNPAUSE')
    },
    async watch () {
      const addresses = await Promise.all(Array.from({ length: sentinels }, (_, index) => startSentinel(index)))
      return `redis+sentinel://${addresses.join(',')}/${primaryName}`
    },
    async freeze () {
      await pauseWrites()
      primary.server.kill('SIGSTOP')
      exchange()
    },
    async thaw () {
      replica.server.kill('SIGCONT')
      await replica.redis.client('UNPAUSE')
      await eventually(
        'the old primary to become a replica',
        async () => (await replica.redis.info('replication')).includes('role:slave') ? true : undefined
      )
    }
  }
}
