import type { Config } from '../config.ts'
import type { System } from './schemas.ts'

/** Where a hub with these settings stores its state. */
export function modeOf ({ databaseUrl, redisUrl }: Pick<Config, 'databaseUrl' | 'redisUrl'>): System['mode'] {
  if (redisUrl !== undefined) return 'full'
  return databaseUrl === undefined ? 'embedded' : 'postgres'
}
