import type { Test } from 'tap'
import { hasRedisServer, leaveOut, openRedisDriver, type RedisDriver } from './drivers.ts'

/**
 * Opens streams on a Redis that only this test file uses. Returns undefined, and prints that, where
 * there is no Redis to start.
 */
export async function openOwnRedis (t: Test): Promise<RedisDriver | undefined> {
  if (process.env.LINKER_TEST_REDIS_URL === undefined) {
    leaveOut(t, 'Redis (LINKER_TEST_REDIS_URL is not set)')
    return undefined
  }
  if (!hasRedisServer()) {
    leaveOut(t, 'Redis (there is no redis-server to start one of its own)')
    return undefined
  }
  const driver = await openRedisDriver()
  t.teardown(driver.close)
  return driver
}

export function errorOf (work: Promise<unknown>): Promise<unknown> {
  return work.then(() => undefined, (error: unknown) => error)
}

const lookingMs = 120_000

/** Resolves when a client of the server waits in a blocking read. */
export async function blocked ({ redis }: RedisDriver): Promise<void> {
  await until(async () => (await redis.info('clients')).includes('blocked_clients:1'))
}

export async function untilAnswers (call: () => Promise<unknown>): Promise<void> {
  await until(() => call().then(() => true, () => false))
}

async function until (isTrue: () => Promise<boolean>): Promise<void> {
  const end = AbortSignal.timeout(lookingMs)
  while (!await isTrue()) {
    end.throwIfAborted()
    await new Promise(setImmediate)
  }
}
