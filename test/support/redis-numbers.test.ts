import { Redis } from 'ioredis'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from './api.ts'
import { freePort } from './free-port.ts'
import { claimRedisNumber } from './redis-numbers.ts'

const leftOut = process.env.LINKER_TEST_REDIS_URL === undefined
  ? 'needs Redis'
  : spawnSync('redis-server', ['--version']).status !== 0 && 'needs a redis-server to start one of its own'

/** Starts a Redis for this test alone: other tests claim numbers of the shared one. */
async function startRedis (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-redis-'))
  const port = await freePort()
  const settings = { port: String(port), bind: '127.0.0.1', save: '', dir: directory }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const server = spawn('redis-server', args, { stdio: 'ignore' })
  t.teardown(async () => {
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
    await rm(directory, { recursive: true, force: true })
  })
  const url = `redis://127.0.0.1:${port}`
  await eventually('an answer of Redis', () => withRedis(url, 0, redis => redis.ping()).catch(() => undefined))
  return url
}

async function withRedis<Result> (
  url: string,
  number: number,
  work: (redis: Redis) => Promise<Result>
): Promise<Result> {
  const redis = new Redis(`${url}/${number}`, { lazyConnect: true, retryStrategy: null })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

t.test('Redis database numbers', { skip: leftOut }, async t => {
  const url = await startRedis(t)
  const numbers = [1, 2]
  const keysOf = (number: number): Promise<string[]> => withRedis(url, number, redis => redis.keys('*'))
  /** Leaves a number as a killed test does: its keys are there, its reservation ran out. */
  const leave = async (number: number): Promise<void> => {
    const claim = await claimRedisNumber(url, { numbers: [number] })
    await withRedis(url, number, async redis => {
      await redis.set('events.inbound.webhooks', 'left behind')
      await redis.del('linker:test:reserved')
    })
    // The release comes after the reservation ran out, so it must not touch the keys.
    await claim.release()
  }
  t.beforeEach(() => withRedis(url, 0, redis => redis.flushall()))

  t.test('concurrent tests get different numbers and leave no keys', async t => {
    const claims = await Promise.all([claimRedisNumber(url, { numbers }), claimRedisNumber(url, { numbers })])
    t.strictSame(claims.map(claim => claim.url).toSorted(), [`${url}/1`, `${url}/2`])
    await t.rejects(
      claimRedisNumber(url, { numbers }),
      /no Redis database number is free for the tests: 1 in use, 2 in use/
    )

    for (const claim of claims) await claim.release()

    t.strictSame([await keysOf(1), await keysOf(2)], [[], []])
  })

  t.test('a number with foreign keys is left alone', async t => {
    await withRedis(url, 1, redis => redis.set('theirs', 'kept'))
    const claim = await claimRedisNumber(url, { numbers })

    t.equal(claim.url, `${url}/2`)
    t.strictSame(await keysOf(1), ['theirs'])
    await claim.release()
  })

  t.test('a number that a killed test left is emptied and taken', async t => {
    await leave(1)
    const claim = await claimRedisNumber(url, { numbers: [1] })

    t.strictSame((await keysOf(1)).toSorted(), ['linker:test:owner', 'linker:test:reserved'])
    await claim.release()
  })

  t.test('a number where a process still works is left alone, with the keys that it writes', async t => {
    await withRedis(url, 1, async redis => {
      const claim = await claimRedisNumber(url, { numbers })
      t.equal(claim.url, `${url}/2`)
      await claim.release()
      await redis.set('theirs', 'kept')
      await t.rejects(claimRedisNumber(url, { numbers: [1] }), /1 foreign/)
    })

    t.strictSame(await keysOf(1), ['theirs'])
  })

  t.test('a reservation lasts as long as its test and expires soon after', async t => {
    const claim = await claimRedisNumber(url, { numbers: [1], reservationMs: 400 })
    const renewed = await withRedis(url, 1, async redis => {
      const leftMs = (): Promise<number> => redis.pttl('linker:test:reserved')
      await redis.pexpire('linker:test:reserved', 100_000)
      return eventually('a renewal', async () => await leftMs() <= 400 ? true : undefined)
    })

    t.ok(renewed)
    await claim.release()
    t.strictSame(await keysOf(1), [])
  })
})
