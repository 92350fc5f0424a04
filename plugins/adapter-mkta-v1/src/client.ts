import {
  createRedactor,
  isAdapterError,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
  type TestResult
} from '@linker/sdk'
import { resolveEnvironment, type MarketplaceContext } from './config.ts'
import { classify } from './errors.ts'
import { parseAccount } from './oauth/account.ts'
import { createRefresh } from './oauth/refresh.ts'

const testTimeoutMs = 5_000

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
    json: async given => open().json(given),
    test: async () => open().test()
  }
}

function openClient (context: MarketplaceContext): MarketplaceClient {
  const { config, http, oauth, platform } = context
  const environment = resolveEnvironment(config.environment, platform)
  const { restBaseUrl, mediaType, userAgent } = environment
  const refresh = createRefresh(context, environment)
  const headers = {
    accept: mediaType,
    'accept-language': config.language ?? 'pl-PL',
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent })
  }

  function clientWith (token: string): HttpClient {
    // Some answers quote the request, and the hub stores the text of a refusal.
    const redact = createRedactor([token])
    return http({
      baseUrl: restBaseUrl,
      auth: { type: 'bearer', token },
      headers,
      classify: answer => classify({ ...answer, body: redact(answer.body) })
    })
  }

  /**
   * Renews a token that the marketplace refuses, for instance because the seller logged out
   * everywhere, and sends the request once more. A refused request had no effect.
   */
  async function withToken<Answer> (send: (client: HttpClient) => Promise<Answer>): Promise<Answer> {
    const token = await oauth.accessToken(refresh)
    try {
      return await send(clientWith(token))
    } catch (error) {
      if (!isAdapterError(error) || error.status !== 401) throw error
    }
    return send(clientWith(await oauth.accessToken(refresh, { rejected: token })))
  }

  const typed = (request: HttpRequest): HttpRequest =>
    request.body === undefined ? request : { ...request, headers: { 'content-type': mediaType, ...request.headers } }
  const request = (given: HttpRequest): Promise<HttpResponse> => withToken(client => client.request(typed(given)))
  const json = (given: HttpRequest): Promise<unknown> => withToken(client => client.json(typed(given)))

  return {
    request,
    json,
    async test () {
      const { login, id } = parseAccount(await json({ method: 'GET', path: 'me', timeoutMs: testTimeoutMs }))
      return { message: `the token belongs to the account '${login}' (${id})` }
    }
  }
}
