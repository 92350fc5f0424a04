import type { Locks, OAuth, OAuthCredentials } from '../context.ts'
import { ConfigurationError } from '../errors.ts'
import type { HostServices } from './services.ts'

/** A token that expires sooner is renewed first: the request with it takes time, and clocks differ. */
const earlyMs = 60_000
const lockName = 'oauth'

export interface OAuthOptions {
  connectionId: string
  /** Those that the current client was made with. */
  credentials: unknown
  services: Pick<HostServices, 'readCredentials' | 'replaceCredentials'>
  locks: Locks
  now: () => Date
  /** Called with what `refresh` answered before anybody sees it, so that it stays out of logs. */
  onReplaced (credentials: unknown): void
}

export function createOAuth<Credentials> ({ connectionId, credentials, services, locks, now, onReplaced }: OAuthOptions): OAuth<Credentials> {
  let latest = credentials

  function usableToken (rejected: string | undefined): string | undefined {
    if (!isOAuthCredentials(latest) || latest.accessToken === rejected) return undefined
    return Date.parse(latest.expiresAt) - now().getTime() > earlyMs ? latest.accessToken : undefined
  }

  return {
    async accessToken (refresh, { rejected } = {}) {
      const known = usableToken(rejected)
      if (known !== undefined) return known
      return locks.run(lockName, async () => {
        // Another call, or another process, may have renewed it while this one waited.
        latest = (await services.readCredentials(connectionId)).value
        onReplaced(latest)
        const stored = usableToken(rejected)
        if (stored !== undefined) return stored
        const renewed = await refresh(latest as Credentials)
        if (!isOAuthCredentials(renewed)) throw new ConfigurationError('refresh must answer credentials with accessToken and expiresAt')
        onReplaced(renewed)
        await services.replaceCredentials(connectionId, renewed)
        latest = renewed
        return renewed.accessToken
      })
    }
  }
}

function isOAuthCredentials (value: unknown): value is OAuthCredentials {
  return typeof value === 'object' && value !== null && 'accessToken' in value && typeof value.accessToken === 'string' &&
    'expiresAt' in value && typeof value.expiresAt === 'string'
}
