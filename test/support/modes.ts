import { createDatabase, dropLater, serverVariable } from './databases.ts'
import { claimRedisNumber } from './redis-numbers.ts'

/** The three ways to keep state (README, "State"). */
export type Mode = 'embedded' | 'postgres' | 'full'

/**
 * The part of the environment that puts a hub into a mode, with its own state: a new database and a
 * Redis database number that no other hub uses.
 */
export interface ModeEnvironment {
  mode: Mode
  variables: Record<string, string>
  close(): Promise<void>
}

/**
 * Returns the modes that the servers in the environment allow; the test runner names the servers
 * that answer. `LINKER_TEST_MODES` keeps some modes only, and another lane runs the others.
 */
export function availableModes (environment: NodeJS.ProcessEnv): Mode[] {
  const hasDatabase = environment.LINKER_TEST_DATABASE_URL !== undefined
  const hasRedis = environment.LINKER_TEST_REDIS_URL !== undefined
  const possible: Mode[] = [
    'embedded',
    ...(hasDatabase ? ['postgres' as const] : []),
    ...(hasDatabase && hasRedis ? ['full' as const] : [])
  ]
  const wanted = environment.LINKER_TEST_MODES?.split(',')
  return wanted === undefined ? possible : possible.filter(mode => wanted.includes(mode))
}

/** Returns the mode whose hub starts fastest, for tests that do not depend on the mode. */
export function cheapestMode (environment: NodeJS.ProcessEnv): Mode {
  return availableModes(environment).includes('postgres') ? 'postgres' : 'embedded'
}

/** Returns the mode with the most parts, for long tests that depend little on the mode. */
export function fullestMode (environment: NodeJS.ProcessEnv): Mode {
  return availableModes(environment).at(-1) ?? 'embedded'
}

export async function openMode (mode: Mode, environment: NodeJS.ProcessEnv): Promise<ModeEnvironment> {
  if (mode === 'embedded') return { mode, variables: {}, close: async () => undefined }
  const database = await createDatabase(
    environment.LINKER_TEST_DATABASE_URL ?? '',
    new Date(),
    environment[serverVariable]
  )
  const drop = (): Promise<void> => dropLater(database)
  if (mode === 'postgres') return { mode, variables: { DATABASE_URL: database.url }, close: drop }
  const redis = await claimRedisNumber(environment.LINKER_TEST_REDIS_URL ?? '').catch(async (error: unknown) => {
    await drop()
    throw error
  })
  return {
    mode,
    variables: { DATABASE_URL: database.url, REDIS_URL: redis.url },
    async close () {
      await redis.release()
      await drop()
    }
  }
}
