import { createDatabase, serverVariable } from './databases.ts'
import { claimRedisNumber } from './redis-numbers.ts'

/** The three ways to keep state (README, "State"). */
export type Mode = 'embedded' | 'postgres' | 'full'

/**
 * The part of the environment that puts a hub into a mode, on servers of its own: a new database, a
 * Redis database number nobody else uses.
 */
export interface ModeEnvironment {
  mode: Mode
  variables: Record<string, string>
  close(): Promise<void>
}

/**
 * Modes that the servers named in the environment allow; the test runner names them when they
 * answer. `LINKER_TEST_MODES` leaves only some of them: a lane runs the others.
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

/** The mode for what does not depend on it: the one whose hub starts fastest. */
export function cheapestMode (environment: NodeJS.ProcessEnv): Mode {
  return availableModes(environment).includes('postgres') ? 'postgres' : 'embedded'
}

/** The mode for what takes long and depends on it little: the one with the most parts. */
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
  if (mode === 'postgres') return { mode, variables: { DATABASE_URL: database.url }, close: database.drop }
  const redis = await claimRedisNumber(environment.LINKER_TEST_REDIS_URL ?? '').catch(async (error: unknown) => {
    await database.drop()
    throw error
  })
  return {
    mode,
    variables: { DATABASE_URL: database.url, REDIS_URL: redis.url },
    async close () {
      await redis.release()
      await database.drop()
    }
  }
}
