import { AdapterErrorCode, AuthenticationError, ConfigurationError, isAdapterError, TransientError } from '@linker/sdk'
import type { Credentials, Environment, MarketplaceContext } from '../config.ts'
import { readIdentity } from './identity.ts'
import { createTokenEndpoint, type Application } from './token-endpoint.ts'

/**
 * Creates the function that renews the tokens of a connection. A refresh token works once: the
 * marketplace spends it when it answers 200, even if that answer is lost.
 */
export function createRefresh (
  { config, http, kv, clock }: MarketplaceContext,
  { webBaseUrl, userAgent, clients }: Environment
): (stored: Credentials) => Promise<Credentials> {
  async function application (): Promise<Application> {
    const clientId = (await readIdentity(kv))?.clientId
    const clientSecret = clients.get(clientId ?? '')
    if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
    const whose = clientId === undefined ? 'of the application' : `of the application '${clientId}'`
    throw new AuthenticationError('the token has expired and a refresh is not available, because ' +
      `platforms.mkta.${config.environment}.clients has no secret ${whose}: re-authorise the connection`)
  }

  return async function refresh ({ refreshToken }) {
    const endpoint = createTokenEndpoint({ ...await application(), webBaseUrl, userAgent, http, now: clock.now })
    try {
      return await endpoint.refresh(refreshToken)
    } catch (error) {
      throw explain(error)
    }
  }
}

function explain (error: unknown): unknown {
  if (!isAdapterError(error)) return error
  const { code, status, message, cause } = error
  // The marketplace did not answer 200, so the refresh token is still good.
  if (code === AdapterErrorCode.outcomeUnknown && status !== undefined && status >= 500) {
    return new TransientError(message, { status, cause })
  }
  // Change the code: these errors would seem to be about the offer or order that needs the token.
  if (code === AdapterErrorCode.notFound || code === AdapterErrorCode.rejected) {
    return new ConfigurationError(`${message}; the token endpoint is below platforms.mkta.*.webBaseUrl`, {
      cause,
      status
    })
  }
  return error
}
