import {
  AuthenticationError,
  parseJson,
  quoteAnswer,
  RejectedError,
  TransientError,
  type HttpClientFactory
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import * as oauth from 'oauth4webapi'
import type { Credentials } from '../config.ts'

/** The application that the operator registered at the marketplace. */
export interface Application {
  clientId: string
  clientSecret: string
}

export interface TokenEndpointOptions extends Application {
  webBaseUrl: string
  /** The `User-Agent` of all requests. */
  userAgent: string | undefined
  http: HttpClientFactory
  now: () => Date
}

export interface CodeExchange {
  /** The query that the browser brought back. */
  callback: URLSearchParams
  state: string
  redirectUri: string
  codeVerifier: string
}

/**
 * The marketplace's token endpoint (upstream/mkta.md, section 2.2). Its credentials can be stored
 * as they are.
 */
export interface TokenEndpoint {
  /**
   * Throws a `RejectedError` with the texts of the specification (section 7.3) when only a new
   * authorisation helps.
   */
  exchangeCode(exchange: CodeExchange): Promise<Credentials>
  /**
   * Spends the refresh token. An `AuthenticationError` says that the token is dead or that the
   * application was refused. After any other failure the marketplace may not have spent the token;
   * if it has, the next attempt throws the `AuthenticationError`.
   */
  refresh(refreshToken: string): Promise<Credentials>
}

const timeoutMs = 10_000
/** The lifetime of a token whose answer has no usable `expires_in`. */
const assumedSeconds = 600

const Text = Type.String({ minLength: 1 })
const Refusal = Type.Object({ error: Text, error_description: Type.Optional(Type.Unknown()) })
const Seconds = Type.Union([Type.Number({ minimum: 0, maximum: 99_999_999 }), Type.String({ pattern: '^[0-9]{1,8}$' })])
const Granted = Type.Object({
  access_token: Text,
  refresh_token: Type.Optional(Type.Unknown()),
  expires_in: Type.Optional(Type.Unknown())
})

export function createTokenEndpoint (given: TokenEndpointOptions): TokenEndpoint {
  const { webBaseUrl, userAgent, http, clientId, clientSecret, now } = given
  const base = webBaseUrl.replace(/\/+$/, '')
  const server: oauth.AuthorizationServer = { issuer: base, token_endpoint: `${base}/auth/oauth/token` }
  const client: oauth.Client = { client_id: clientId }
  const requests = http({ baseUrl: base, timeoutMs, retries: 0 })
  const options = {
    [oauth.customFetch]: send,
    // Simulators and development use http. The hub itself decides which addresses are permitted.
    [oauth.allowInsecureRequests]: base.startsWith('http:')
  }

  /** Unlike RFC 6749, does not encode id and secret: the marketplace compares them as they are. */
  function authenticate (
    _server: oauth.AuthorizationServer,
    _client: oauth.Client,
    _body: URLSearchParams,
    headers: Headers
  ): void {
    headers.set('authorization', `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`)
  }

  async function send (
    url: string,
    { headers, body }: { headers: Record<string, string>, body: URLSearchParams }
  ): Promise<Response> {
    const { status, body: text } = await requests.request({
      method: 'POST',
      path: url.slice(base.length),
      headers: userAgent === undefined ? headers : { ...headers, 'user-agent': userAgent },
      body,
      accept: [400, 401, 403]
    })
    const answer = parse(text)
    if (status < 300) return Response.json(toGrant(answer))
    if (status === 401) {
      return Response.json(Value.Check(Refusal, answer) ? toRefusal(answer) : { error: 'unauthorized' }, { status })
    }
    if (status === 400 && Value.Check(Refusal, answer)) return Response.json(toRefusal(answer), { status })
    // Leave out the status: a 403 would seem to be about the offer or order that needs the token.
    throw new TransientError(`a proxy in front of the marketplace's token endpoint answered ${status}`)
  }

  function toCredentials (answer: oauth.TokenEndpointResponse, refreshToken?: string): Credentials {
    const { access_token: accessToken, refresh_token: renewed = refreshToken } = answer
    const { expires_in: seconds = assumedSeconds } = answer
    if (renewed === undefined) throw new TransientError('the marketplace answered a token without refresh_token')
    return { accessToken, refreshToken: renewed, expiresAt: new Date(now().getTime() + seconds * 1_000).toISOString() }
  }

  return {
    async exchangeCode ({ callback, state, redirectUri, codeVerifier }) {
      try {
        const checked = oauth.validateAuthResponse(server, client, callback, state)
        const answer = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authenticate,
          checked,
          redirectUri,
          codeVerifier,
          options
        )
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

/**
 * Takes only the needed members of a grant. The grant may have cost the refresh token, so it must
 * be kept whatever its other members hold.
 */
function toGrant (answer: unknown): object {
  if (!Value.Check(Granted, answer)) return {}
  const { access_token, refresh_token, expires_in } = answer
  return {
    access_token,
    token_type: 'bearer',
    refresh_token: Value.Check(Text, refresh_token) ? refresh_token : undefined,
    expires_in: Value.Check(Seconds, expires_in) ? Number(expires_in) : undefined
  }
}

function toRefusal ({ error, error_description }: Static<typeof Refusal>): object {
  return { error, error_description: typeof error_description === 'string' ? error_description : undefined }
}

function parse (text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

interface Refused {
  code: string
  description: string
}

/** The refusal in the endpoint's answer or in the browser's query. */
function refusalOf (error: unknown): Refused | undefined {
  if (!(error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)) return undefined
  return { code: error.error.slice(0, 100), description: error.error_description ?? '' }
}

/**
 * The marketplace refuses the application: it is unknown, its secret is wrong, or it may not do
 * this.
 */
const clientRefusals: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized', 'unauthorized_client'])

// Give no cause to either error: it would hold the answer with its tokens, or the code, which the
// endpoint quotes in its descriptions.
function explainExchange (error: unknown): unknown {
  const refusal = refusalOf(error)
  if (refusal === undefined) return isProtocolError(error) ? unreadable(error) : error
  const { code, description } = refusal
  if (clientRefusals.has(code)) return new RejectedError('Authentication failed')
  if (code === 'invalid_grant') {
    return new RejectedError(/redirect/i.test(description)
      ? 'Invalid redirect_uri'
      : 'Invalid authorization code: it was used, or is too old; begin again')
  }
  // Only the browser's description was meant for the seller.
  const said = error instanceof oauth.AuthorizationResponseError && description !== ''
    ? `: ${quoteAnswer(description)}`
    : ''
  return new RejectedError(`the marketplace refused the authorisation: ${code}${said}`)
}

function explainRefresh (error: unknown): unknown {
  const refusal = refusalOf(error)
  if (refusal === undefined) return isProtocolError(error) ? unreadable(error) : error
  const { code } = refusal
  if (clientRefusals.has(code)) {
    const reason = `because it refuses the application (${code})`
    const remedy = 'correct its secret in platforms.mkta.*.clients, or re-authorise the connection'
    return new AuthenticationError(`the marketplace does not renew the token, ${reason}: ${remedy}`)
  }
  return new AuthenticationError(`the marketplace does not renew the token (${code}): re-authorise the connection`)
}

function isProtocolError (error: unknown): error is Error {
  return error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError
}

function unreadable ({ message }: Error): TransientError {
  return new TransientError(`the marketplace answered the token request in an unknown form (${message})`)
}
