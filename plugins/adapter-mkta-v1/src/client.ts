import type { GetOptions, HttpClient, HttpRequest, TestResult } from '@linker/sdk'
import { resolveEnvironment, type MarketplaceContext } from './config.ts'
import { classify } from './errors.ts'
import { fetchAccount } from './oauth/account.ts'
import { createRefresh } from './oauth/refresh.ts'

/**
 * The marketplace's REST interface, with a valid token and the headers that every request needs.
 */
export interface MarketplaceClient extends HttpClient {
  /** Proves the address and the token by reading the account that the token belongs to. */
  test(): Promise<TestResult>
}

/** A client that reads the settings at its first request, so other calls work without settings. */
export function createClient (context: MarketplaceContext): MarketplaceClient {
  let opened: MarketplaceClient | undefined
  const open = (): MarketplaceClient => opened ??= openClient(context)
  return {
    request: async given => open().request(given),
    json: (async (given: HttpRequest) => open().json(given)) as HttpClient['json'],
    get: (async (path: string, options?: GetOptions) => open().get(path, options)) as HttpClient['get'],
    test: async () => open().test()
  }
}

function openClient (context: MarketplaceContext): MarketplaceClient {
  const { config, http, oauth, platform } = context
  const environment = resolveEnvironment(config.environment, platform)
  const { restBaseUrl, mediaType, userAgent } = environment
  const refresh = createRefresh(context, environment)
  const client = http({
    baseUrl: restBaseUrl,
    // The marketplace may refuse a token before its end: the seller logged out everywhere.
    auth: { type: 'bearer', token: rejected => oauth.accessToken(refresh, { rejected }) },
    headers: {
      accept: mediaType,
      'content-type': mediaType,
      'accept-language': config.language,
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent })
    },
    classify
  })
  return {
    ...client,
    async test () {
      const { login, id } = await fetchAccount(client)
      return { message: `the token belongs to the account '${login}' (${id})` }
    }
  }
}
