import type { Config } from './config.ts'

/** Where a hub stores its state. */
export type Mode = 'embedded' | 'postgres' | 'full'

/** Where a hub with these settings stores its state. */
export function modeOf ({ databaseUrl, redisUrl }: Pick<Config, 'databaseUrl' | 'redisUrl'>): Mode {
  if (redisUrl !== undefined) return 'full'
  return databaseUrl === undefined ? 'embedded' : 'postgres'
}
