import { AuthenticationError, RejectedError, TransientError, type HttpClientFactory } from '@linker/sdk'
import * as oauth from 'oauth4webapi'
import type { Credentials } from './config.ts'

/** The application that the operator registered at the marketplace. */
export interface Application { clientId: string, clientSecret: string }

export interface TokenEndpointOptions extends Application {
  webBaseUrl: string
  http: HttpClientFactory
  now: () => Date
}

export interface CodeExchange {
  /** What the browser brought back. */
  callback: URLSearchParams
  state: string
  redirectUri: string
  codeVerifier: string
}

/** The marketplace's token endpoint (upstream/mkta.md, section 2.2). What it answers is ready to be stored. */
export interface TokenEndpoint {
  /** Throws a `RejectedError` with the texts of the specification (section 7.3) for what only another start can mend. */
  exchangeCode (exchange: CodeExchange): Promise<Credentials>
  /**
   * Spends the refresh token. An `AuthenticationError` says that it is dead, or the application refused; for every other failure the marketplace may not have
   * spent it, and when it has, the next attempt says so.
   */
  refresh (refreshToken: string): Promise<Credentials>
}

const timeoutMs = 10_000
/** Of an answer without `expires_in`: it must be kept all the same, because it may have cost the refresh token. */
const assumedSeconds = 600

export function createTokenEndpoint ({ webBaseUrl, http, clientId, clientSecret, now }: TokenEndpointOptions): TokenEndpoint {
  const base = webBaseUrl.replace(/\/+$/, '')
  const server: oauth.AuthorizationServer = { issuer: base, token_endpoint: `${base}/auth/oauth/token` }
  const client: oauth.Client = { client_id: clientId }
  const requests = http({ baseUrl: base, timeoutMs, retries: 0 })
  const options = {
    [oauth.customFetch]: send,
    // Simulators and development speak http; which addresses are permitted at all is the hub's to say.
    [oauth.allowInsecureRequests]: base.startsWith('http:')
  }

  /** Neither is encoded before, unlike in RFC 6749: the marketplace compares them as they are. */
  function authenticate (_server: oauth.AuthorizationServer, _client: oauth.Client, _body: URLSearchParams, headers: Headers): void {
    headers.set('authorization', `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`)
  }

  async function send (url: string, { headers, body }: { headers: Record<string, string>, body: URLSearchParams }): Promise<Response> {
    const answer = await requests.request({ method: 'POST', path: url.slice(base.length), headers, body, accept: [400, 401, 403] })
    return new Response(answer.body, { status: answer.status, headers: answer.headers })
  }

  function toCredentials (answer: oauth.TokenEndpointResponse, refreshToken?: string): Credentials {
    const { access_token: accessToken, refresh_token: renewed = refreshToken, expires_in: seconds = assumedSeconds } = answer
    if (renewed === undefined) throw new TransientError('the marketplace answered a token without refresh_token')
    return { accessToken, refreshToken: renewed, expiresAt: new Date(now().getTime() + seconds * 1_000).toISOString() }
  }

  return {
    async exchangeCode ({ callback, state, redirectUri, codeVerifier }) {
      try {
        const checked = oauth.validateAuthResponse(server, client, callback, state)
        const answer = await oauth.authorizationCodeGrantRequest(server, client, authenticate, checked, redirectUri, codeVerifier, options)
        return toCredentials(await oauth.processAuthorizationCodeResponse(server, client, answer))
      } catch (error) {
        throw explainExchange(error)
      }
    },
    async refresh (refreshToken) {
      try {
        const answer = await oauth.refreshTokenGrantRequest(server, client, authenticate, refreshToken, options)
        return toCredentials(await oauth.processRefreshTokenResponse(server, client, answer), refreshToken)
      } catch (error) {
        throw explainRefresh(error)
      }
    }
  }
}

interface Refusal { code: string, description: string }

/** The refusal that an answer of the endpoint, or of the browser, carries. */
function refusalOf (error: unknown): Refusal | undefined {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) return { code: error.error, description: error.error_description ?? '' }
  // A refusal of the client comes with a challenge sometimes, and then without a body.
  if (error instanceof oauth.WWWAuthenticateChallengeError) return { code: 'invalid_client', description: '' }
  return undefined
}

const clientRefusals: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized', 'unauthorized_client'])

function explainExchange (error: unknown): unknown {
  const refusal = refusalOf(error)
  if (refusal === undefined) return isProtocolError(error) ? unreadable(error) : error
  if (clientRefusals.has(refusal.code)) return new RejectedError('Authentication failed', { cause: error })
  if (refusal.code === 'invalid_grant' && /redirect/i.test(refusal.description)) return new RejectedError('Invalid redirect_uri', { cause: error })
  return new RejectedError(`the marketplace refused the authorisation: ${said(refusal)}`, { cause: error })
}

function explainRefresh (error: unknown): unknown {
  const refusal = refusalOf(error)
  if (refusal === undefined) return isProtocolError(error) ? unreadable(error) : error
  // Its description quotes the refresh token, which cut short is not known as a secret any more.
  const { code } = refusal
  if (code === 'invalid_grant' || clientRefusals.has(code)) return new AuthenticationError(`the marketplace does not renew the token (${code}): re-authorise the connection`)
  return new RejectedError(`the marketplace refused to renew the token: ${code.slice(0, 100)}`)
}

function isProtocolError (error: unknown): boolean {
  return error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError
}

function unreadable (error: unknown): TransientError {
  return new TransientError('the marketplace answered the token request in an unknown form', { cause: error })
}

function said ({ code, description }: Refusal): string {
  return description === '' ? code : `${code}: ${description.slice(0, 300)}`
}
