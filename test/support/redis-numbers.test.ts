import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { eventually } from './api.ts'
import { freePort } from './free-port.ts'
import { claimRedisNumber } from './redis-numbers.ts'

const leftOut = process.env.LINKER_TEST_REDIS_URL === undefined
  ? 'needs Redis'
  : spawnSync('redis-server', ['--version']).status !== 0 && 'needs a redis-server to start one of its own'

/** A Redis of its own, as other tests claim numbers of the one that they share. */
async function startRedis (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-redis-'))
  const port = await freePort()
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    directory
  ], { stdio: 'ignore' })
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
  /** As a test leaves it that was killed: its keys are there, its reservation ran out. */
  const leave = async (number: number): Promise<void> => {
    const claim = await claimRedisNumber(url, { numbers: [number] })
    await withRedis(url, number, async redis => {
      await redis.set('events.inbound.webhooks', 'left behind')
      await redis.del('linker:test:reserved')
    })
    // Too late: it leaves what is no longer its own.
    await claim.release()
  }
  t.beforeEach(() => withRedis(url, 0, redis => redis.flushall()))

  t.test('tests beside each other get different ones, and leave nothing', async t => {
    const claims = await Promise.all([claimRedisNumber(url, { numbers }), claimRedisNumber(url, { numbers })])
    t.strictSame(claims.map(claim => claim.url).toSorted(), [`${url}/1`, `${url}/2`])
    await t.rejects(
      claimRedisNumber(url, { numbers }),
      /no Redis database number is free for the tests: 1 in use, 2 in use/
    )

    for (const claim of claims) await claim.release()

    t.strictSame([await keysOf(1), await keysOf(2)], [[], []])
  })

  t.test('one with the keys of somebody else is left alone', async t => {
    await withRedis(url, 1, redis => redis.set('theirs', 'kept'))
    const claim = await claimRedisNumber(url, { numbers })

    t.equal(claim.url, `${url}/2`)
    t.strictSame(await keysOf(1), ['theirs'])
    await claim.release()
  })

  t.test('one that a killed test left is emptied and taken', async t => {
    await leave(1)
    const claim = await claimRedisNumber(url, { numbers: [1] })

    t.strictSame((await keysOf(1)).toSorted(), ['linker:test:owner', 'linker:test:reserved'])
    await claim.release()
  })

  t.test('one where a process is still at work is left alone, with what it writes', async t => {
    await withRedis(url, 1, async redis => {
      const claim = await claimRedisNumber(url, { numbers })
      t.equal(claim.url, `${url}/2`)
      await claim.release()
      await redis.set('theirs', 'kept')
      await t.rejects(claimRedisNumber(url, { numbers: [1] }), /1 foreign/)
    })

    t.strictSame(await keysOf(1), ['theirs'])
  })

  t.test('a reservation lives as long as its test, and not much longer', async t => {
    const claim = await claimRedisNumber(url, { numbers: [1], reservationMs: 400 })
    const renewed = await withRedis(url, 1, async redis => {
      await redis.pexpire('linker:test:reserved', 100_000)
      return eventually('a renewal', async () => await redis.pttl('linker:test:reserved') <= 400 ? true : undefined)
    })

    t.ok(renewed)
    await claim.release()
    t.strictSame(await keysOf(1), [])
  })
})
