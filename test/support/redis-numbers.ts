import { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'

/** A Redis database number that nobody else uses. */
export interface RedisNumber {
  url: string
  release(): Promise<void>
}

/** Marks a number whose keys belong to these tests, also to one that was killed. */
const ownerKey = 'linker:test:owner'
/** Marks a number that a test is using. It expires soon after the test was killed. */
const reservationKey = 'linker:test:reserved'
const connectionName = 'linker-tests'

/**
 *                 no owner        owner, reserved   owner, not reserved
 *   empty         taken           -                 -
 *   holds keys    left alone      left alone        emptied and taken: its test was killed
 */
const reserve = `
  if redis.call('exists', KEYS[2]) == 1 then return 'in use' end
  if redis.call('dbsize') > 0 and redis.call('exists', KEYS[1]) == 0 then return 'foreign' end
  redis.call('flushdb')
  redis.call('set', KEYS[1], 'the tests of linker')
  redis.call('set', KEYS[2], ARGV[1], 'px', ARGV[2])
  return 'reserved'`

const renew =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"
const release = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('flushdb') end"
const withdraw = "if redis.call('get', KEYS[2]) == ARGV[1] then redis.call('del', KEYS[1], KEYS[2]) end"

export interface ClaimOptions {
  /** The numbers to choose from: all that the server has but 0, by default. */
  numbers?: readonly number[]
  reservationMs?: number
}

/**
 * Reserves a number and empties it, so that concurrent runs do not share one. It never touches
 * foreign keys.
 */
export async function claimRedisNumber (
  serverUrl: string,
  { numbers, reservationMs = 120_000 }: ClaimOptions = {}
): Promise<RedisNumber> {
  const token = randomUUID()
  const refusals: string[] = []
  for (const number of numbers ?? await numbersOf(serverUrl)) {
    const url = new URL(serverUrl)
    url.pathname = `/${number}`
    const redis = new Redis(url.href, { connectionName })
    const answer = await redis.eval(reserve, 2, ownerKey, reservationKey, token, reservationMs)
    if (answer === 'reserved' && !await hasStrangers(redis, number)) return hold(redis, url.href, token, reservationMs)
    refusals.push(`${number} ${answer === 'reserved' ? 'has clients' : String(answer)}`)
    await redis.eval(withdraw, 2, ownerKey, reservationKey, token)
    redis.disconnect()
  }
  throw new Error(`no Redis database number is free for the tests: ${refusals.join(', ')}. ` +
    'A foreign one holds keys of another program; if nobody needs them, empty it with redis-cli -n <number> flushdb')
}

async function numbersOf (serverUrl: string): Promise<number[]> {
  const redis = new Redis(serverUrl, { connectionName })
  try {
    const [, count] = await redis.config('GET', 'databases') as string[]
    return Array.from({ length: Number(count) - 1 }, (_, index) => index + 1)
  } finally {
    redis.disconnect()
  }
}

/** Whether a number has clients without a reservation, such as a hub that outlived its test. */
async function hasStrangers (redis: Redis, number: number): Promise<boolean> {
  const clients = String(await redis.client('LIST')).split('\n')
  return clients.some(client => client.includes(` db=${number} `) && !client.includes(` name=${connectionName} `))
}

function hold (redis: Redis, url: string, token: string, reservationMs: number): RedisNumber {
  const timer = setInterval(() => {
    redis.eval(renew, 1, reservationKey, token, reservationMs).catch(() => undefined)
  }, reservationMs / 8)
  timer.unref()
  return {
    url,
    async release () {
      clearInterval(timer)
      await redis.eval(release, 1, reservationKey, token)
      redis.disconnect()
    }
  }
}
