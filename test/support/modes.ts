import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { Redis } from 'ioredis'

/** The three ways to keep state (README, "State"). */
export type Mode = 'embedded' | 'postgres' | 'full'

/** The part of the environment that puts a hub into a mode, on servers of its own: a new database, a Redis database number nobody else uses. */
export interface ModeEnvironment {
  mode: Mode
  variables: Record<string, string>
  close (): Promise<void>
}

/** Modes that the servers named in the environment allow; the test runner names them when they answer. */
export function availableModes (environment: NodeJS.ProcessEnv): Mode[] {
  const hasDatabase = environment.LINKER_TEST_DATABASE_URL !== undefined
  return ['embedded', ...(hasDatabase ? ['postgres' as const] : []), ...(hasDatabase && environment.LINKER_TEST_REDIS_URL !== undefined ? ['full' as const] : [])]
}

/** The mode for what does not depend on it: the one whose hub starts fastest. */
export function cheapestMode (environment: NodeJS.ProcessEnv): Mode {
  return availableModes(environment).includes('postgres') ? 'postgres' : 'embedded'
}

export async function openMode (mode: Mode, environment: NodeJS.ProcessEnv): Promise<ModeEnvironment> {
  if (mode === 'embedded') return { mode, variables: {}, close: async () => undefined }
  const database = await createDatabase(environment.LINKER_TEST_DATABASE_URL ?? '')
  if (mode === 'postgres') return { mode, variables: { DATABASE_URL: database.url }, close: database.drop }
  const redis = await claimRedis(environment.LINKER_TEST_REDIS_URL ?? '')
  return {
    mode,
    variables: { DATABASE_URL: database.url, REDIS_URL: redis.url },
    async close () {
      await redis.release()
      await database.drop()
    }
  }
}

async function createDatabase (serverUrl: string): Promise<{ url: string, drop (): Promise<void> }> {
  const name = `linker_test_${randomBytes(6).toString('hex')}`
  await administer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function administer (url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const reservation = 'linker:test:reserved'

/** Takes an empty Redis database number by a key that expires, so that runs beside each other do not meet. */
async function claimRedis (serverUrl: string): Promise<{ url: string, release (): Promise<void> }> {
  for (let number = 1; number < 16; number += 1) {
    const url = new URL(serverUrl)
    url.pathname = `/${number}`
    const redis = new Redis(url.href)
    if (await redis.dbsize() === 0 && await redis.set(reservation, '1', 'EX', 3600, 'NX') === 'OK') {
      return {
        url: url.href,
        async release () {
          await redis.flushdb()
          redis.disconnect()
        }
      }
    }
    redis.disconnect()
  }
  throw new Error('every Redis database number from 1 to 15 holds keys: empty one for the tests')
}
