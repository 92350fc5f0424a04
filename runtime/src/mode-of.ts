import type { Config } from './config.ts'
import { InvalidConfigurationError } from './errors.ts'

/** Where a hub stores its state. */
export type Mode = 'embedded' | 'postgres' | 'full'

/** Says what is missing in an embedded hub whose only process has a role other than `all`. */
export function describePartialRole (role: 'http' | 'worker'): string {
  const missing = role === 'http'
    ? 'nothing runs jobs or handles accepted webhooks'
    : 'nothing serves the API or webhooks'
  return `LINKER_ROLE is ${role}, but DATABASE_URL is not set: an embedded hub has one process, so ${missing}`
}

/** Where a hub with these settings stores its state. */
export function modeOf ({ databaseUrl, redisUrl }: Pick<Config, 'databaseUrl' | 'redisUrl'>): Mode {
  if (redisUrl !== undefined) return 'full'
  return databaseUrl === undefined ? 'embedded' : 'postgres'
}

/**
 * Throws `LNK_CONFIG_INVALID` in production when the role of an embedded hub leaves out a part of
 * its work, and warns elsewhere: somebody may look at a restored backup without running its jobs.
 */
export function refusePartialRole (
  { databaseUrl, role, isProduction }: Pick<Config, 'databaseUrl' | 'role' | 'isProduction'>,
  log: { warn(fields: object, message: string): void }
): void {
  if (databaseUrl !== undefined || role === 'all') return
  const message = `${describePartialRole(role)}. Set DATABASE_URL, or LINKER_ROLE=all`
  if (isProduction) throw new InvalidConfigurationError(message)
  log.warn({ role }, message)
}
