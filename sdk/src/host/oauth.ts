import { isDeepStrictEqual } from 'node:util'
import type { Locks, OAuth, OAuthCredentials } from '../context.ts'
import { AdapterErrorCode, ConfigurationError, isAdapterError, TransientError } from '../errors.ts'
import { withoutDefaults } from './defaults.ts'
import type { HostServices } from './services.ts'
import { checkedCredentials } from './storable.ts'

/** Renew a token that expires sooner: the request with it takes time, and clocks differ. */
const earlyMs = 60_000
const lockName = 'oauth'

export interface OAuthOptions {
  connectionId: string
  /** The credentials of the current client. */
  credentials: unknown
  services: Pick<HostServices, 'readCredentials' | 'renewCredentials'>
  locks: Locks
  now: () => Date
  /**
   * Runs `refresh` to its end even if its call is aborted: the platform may have issued a new token
   * and invalidated the old one, and the new one would be lost.
   */
  detached<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Called with the answer of `refresh` before anybody sees it, so that the logs do not contain it.
   */
  onReplaced(credentials: unknown): void
  /**
   * Returns a frozen copy of credentials with the defaults of the adapter's schema. The stored
   * credentials stay as they are.
   */
  withDefaults<Value>(credentials: Value): Value
}

export function createOAuth<
  Credentials
> ({ connectionId, credentials, services, locks, now, detached, onReplaced, withDefaults }: OAuthOptions): OAuth<
  Credentials
> {
  let latest = credentials
  let refusals = 0
  let lastRefusal: { credentials: unknown, error: unknown } | undefined

  function usableToken (rejected: string | undefined): string | undefined {
    if (!isOAuthCredentials(latest) || latest.accessToken === rejected) return undefined
    return Date.parse(latest.expiresAt) - now().getTime() > earlyMs ? latest.accessToken : undefined
  }

  async function storedToken (rejected: string | undefined): Promise<string | undefined> {
    latest = (await services.readCredentials(connectionId)).value
    onReplaced(latest)
    return usableToken(rejected)
  }

  return {
    async accessToken (refresh, { rejected } = {}) {
      const known = usableToken(rejected)
      if (known !== undefined) return known
      const heardOf = refusals
      return locks.run(lockName, async () => {
        // Another call, or another process, may have renewed it while this one waited.
        const stored = await storedToken(rejected)
        if (stored !== undefined) return stored
        // The platform refused these credentials while this call waited, so do not ask again.
        if (lastRefusal !== undefined && refusals > heardOf && isDeepStrictEqual(lastRefusal.credentials, latest)) {
          throw lastRefusal.error
        }
        const filled = withDefaults(latest)
        let renewed: Credentials & OAuthCredentials
        try {
          renewed = await detached(() => refresh(filled as Credentials))
        } catch (error) {
          // Others store credentials without this lock, an operator for instance: the refused
          // credentials may already be replaced.
          if (!isAuthenticationError(error)) throw error
          const asked = latest
          const replaced = await storedToken(rejected)
          if (replaced !== undefined) return replaced
          refusals += 1
          lastRefusal = { credentials: asked, error }
          throw error
        }
        if (!isOAuthCredentials(renewed)) {
          throw new ConfigurationError('refresh must return credentials with accessToken and expiresAt')
        }
        checkedCredentials(renewed)
        onReplaced(renewed)
        // A stored default would win over the one of a later version of the adapter.
        const written = withoutDefaults(renewed, filled, latest)
        const isStored = await services.renewCredentials(connectionId, written, latest)
        if (isStored) latest = written
        // Somebody may have authorised the connection again meanwhile, perhaps by another
        // application: keep those newer credentials.
        const usable = isStored ? renewed.accessToken : await storedToken(rejected)
        if (usable === undefined) {
          throw new TransientError('the credentials were replaced while their token was renewed')
        }
        return usable
      })
    }
  }
}

function isAuthenticationError (error: unknown): boolean {
  return isAdapterError(error) && error.code === AdapterErrorCode.authentication
}

/** Whether `context.oauth` can renew the token of these credentials. */
export function isOAuthCredentials (value: unknown): value is OAuthCredentials {
  return typeof value === 'object' && value !== null && 'accessToken' in value &&
    typeof value.accessToken === 'string' &&
    'expiresAt' in value && typeof value.expiresAt === 'string'
}
