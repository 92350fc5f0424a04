import { createHash } from 'node:crypto'
import type { Locks, OAuth, OAuthCredentials } from '../context.ts'
import { AdapterErrorCode, AuthenticationError, ConfigurationError, isAdapterError, TransientError } from '../errors.ts'
import type { ConnectionSnapshot } from './carrier.ts'
import { withoutDefaults } from './defaults.ts'
import type { HostServices, StoredCredentials } from './services.ts'
import { checkedCredentials } from './storable.ts'

/** Renew a token that expires sooner: the request with it takes time, and clocks differ. */
const earlyMs = 60_000
const lockName = 'oauth'

export interface OAuthOptions {
  connection: Pick<ConnectionSnapshot, 'id' | 'config' | 'credentialsVersion'>
  /** The credentials of the current client. */
  credentials: unknown
  platform: Readonly<Record<string, unknown>>
  services: Pick<HostServices, 'readCredentials' | 'renewCredentials' | 'refuseRefresh'>
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
  /** Called with the version of the credentials that the current call uses from now on. */
  onUsed(credentialsVersion: string): void
  /** Whether a person asks, who may know that the platform has changed its mind. */
  isTest(): boolean
  redact(message: string): string
  /**
   * Returns a frozen copy of credentials with the defaults of the adapter's schema. The stored
   * credentials stay as they are.
   */
  withDefaults<Value>(credentials: Value): Value
}

export function createOAuth<Credentials> (options: OAuthOptions): OAuth<Credentials> {
  const { connection, platform, services, locks, now, detached, onReplaced, onUsed, isTest, redact, withDefaults } =
    options
  const { id, config } = connection
  let latest: StoredCredentials = { value: options.credentials, version: connection.credentialsVersion }

  function usableToken (rejected: string | undefined): string | undefined {
    onUsed(latest.version)
    const { value } = latest
    if (!isOAuthCredentials(value) || value.accessToken === rejected) return undefined
    return Date.parse(value.expiresAt) - now().getTime() > earlyMs ? value.accessToken : undefined
  }

  async function storedToken (rejected: string | undefined): Promise<string | undefined> {
    latest = await services.readCredentials(id)
    onReplaced(latest.value)
    return usableToken(rejected)
  }

  /** Contains the platform's settings: after one of their secrets was corrected, ask again. */
  const inputOf = (credentials: unknown): string =>
    createHash('sha256').update(JSON.stringify([credentials, config, platform])).digest('hex')

  return {
    async accessToken (refresh, { rejected } = {}) {
      const known = usableToken(rejected)
      if (known !== undefined) return known
      return locks.run(lockName, async () => {
        // Another call, or another process, may have renewed it while this one waited.
        const stored = await storedToken(rejected)
        if (stored !== undefined) return stored
        const asked = latest
        const input = inputOf(asked.value)
        if (asked.refusal?.input === input && !isTest()) throw new AuthenticationError(asked.refusal.message)
        const filled = withDefaults(asked.value)
        let renewed: Credentials & OAuthCredentials
        try {
          renewed = await detached(() => refresh(filled as Credentials))
        } catch (error) {
          const refusal = refusalOf(error)
          if (refusal === undefined) throw error
          // Others store credentials without this lock, an operator for instance: the refused
          // credentials may already be replaced.
          const replaced = await storedToken(rejected)
          if (replaced !== undefined) return replaced
          onUsed(asked.version)
          await services.refuseRefresh(id, { input, message: redact(refusal.message) })
          throw refusal
        }
        if (!isOAuthCredentials(renewed)) {
          throw new ConfigurationError('refresh must return credentials with accessToken and expiresAt')
        }
        checkedCredentials(renewed)
        onReplaced(renewed)
        // A stored default would win over the one of a later version of the adapter.
        const written = withoutDefaults(renewed, filled, asked.value)
        const version = await services.renewCredentials(id, written, asked.value)
        if (version !== undefined) {
          latest = { value: written, version }
          onUsed(version)
          return renewed.accessToken
        }
        // Somebody may have authorised the connection again meanwhile, perhaps by another
        // application: keep those newer credentials.
        const usable = await storedToken(rejected)
        if (usable === undefined) {
          throw new TransientError('the credentials were replaced while their token was renewed')
        }
        return usable
      })
    }
  }
}

/**
 * Returns the platform's refusal of a refresh. Token endpoints answer 400 for a spent token, which
 * the HTTP client makes a `RejectedError`: left so, each job would die after another try.
 */
function refusalOf (error: unknown): Error | undefined {
  if (!isAdapterError(error)) return undefined
  const { code, message, status } = error
  if (code === AdapterErrorCode.authentication) return error
  return code === AdapterErrorCode.rejected
    ? new AuthenticationError(`the platform does not renew the token: ${message}`, { status, cause: error })
    : undefined
}

/** Whether `context.oauth` can renew the token of these credentials. */
export function isOAuthCredentials (value: unknown): value is OAuthCredentials {
  return typeof value === 'object' && value !== null && 'accessToken' in value &&
    typeof value.accessToken === 'string' &&
    'expiresAt' in value && typeof value.expiresAt === 'string'
}
