import type { FastifyInstance, FastifyRequest } from 'fastify'
import { consentPage } from './consent-page.ts'
import { OAuthError, RestError, toAnswer } from './errors.ts'
import type { Account, Application, CodeRequest, TokenPair, Tokens } from './tokens.ts'

export interface Consent {
  /** The decision of the seller. `ask` shows the consent page, for a decision in a browser. */
  decision: 'grant' | 'refuse' | 'ask'
  /** The account with which the browser is signed in. */
  account: Account
}

export interface WebHost {
  application: Application
  tokens: Tokens
  consent: Consent
  issuer: () => string
}

interface AuthorisationRequest extends CodeRequest {
  state: string | undefined
}

interface RefusedRequest {
  redirectUri: string
  state: string | undefined
  error: string
  description: string
}

// The page needs no script. The policy also blocks a script that a parameter might inject.
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
}

/** Registers the web host: the page that asks the seller, and the token endpoint. */
export function registerWebHost (app: FastifyInstance, { application, tokens, consent, issuer }: WebHost): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body))))
  )
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = toAnswer(error)
    return reply.code(status).send(body)
  })

  app.get('/auth/oauth/authorize', async (request, reply) => {
    const parameters = Object.fromEntries(new URLSearchParams(request.url.split('?')[1]))
    const asked = requestOf(parameters)
    if ('error' in asked || consent.decision !== 'ask') return reply.redirect(answerTo(asked, consent.decision))
    return reply.headers(pageHeaders)
      .send(consentPage({ application, account: consent.account, scopes: asked.scopes, parameters }))
  })

  app.post<{ Body: Record<string, string> | undefined }>('/auth/oauth/authorize', async (request, reply) => {
    const { decision, ...parameters } = request.body ?? {}
    if (decision !== 'grant' && decision !== 'refuse') {
      throw new OAuthError(400, 'invalid_request', 'decision must be grant or refuse')
    }
    return reply.redirect(answerTo(requestOf(parameters), decision), 303)
  })

  app.post('/auth/oauth/token', async (request, reply) => {
    checkClient(request, application)
    const pair = redeem({ ...request.query as object, ...request.body as object | undefined }, { application, tokens })
    return reply.header('cache-control', 'no-store').send(tokenBody(pair, issuer()))
  })

  // Only the REST host answers with the account.
  app.get('/me', async () => {
    throw new RestError(403, { code: 'AccessDenied', message: 'Access is denied' })
  })

  /**
   * Reads the application's request. Throws if client or address is not the registered one: the
   * browser must not go to an unknown address.
   */
  function requestOf (parameters: Record<string, string>): AuthorisationRequest | RefusedRequest {
    const {
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      response_type: type,
      code_challenge: challenge,
      code_challenge_method: method,
      scope
    } = parameters
    if (clientId !== application.clientId) throw new OAuthError(400, 'invalid_client', 'Unknown client')
    if (redirectUri !== application.redirectUri) throw new OAuthError(400, 'invalid_grant', 'Redirect URI mismatch.')
    const scopes = scope?.split(' ') ?? application.scopes
    const refused = (error: string, description: string) => ({ redirectUri, state, error, description })
    if (type !== 'code') return refused('unsupported_response_type', 'response_type must be code')
    if (challenge !== undefined && method !== 'S256') {
      return refused('invalid_request', 'code_challenge_method must be S256')
    }
    if (!scopes.every(wanted => application.scopes.includes(wanted))) {
      return refused('invalid_scope', 'The application has not registered this scope')
    }
    return { redirectUri, state, challenge, scopes }
  }

  /** Returns the address to which the browser goes next. */
  function answerTo (asked: AuthorisationRequest | RefusedRequest, decision: Consent['decision']): string {
    const target = new URL(asked.redirectUri)
    for (const [name, value] of Object.entries(outcomeOf(asked, decision))) target.searchParams.set(name, value)
    if (asked.state !== undefined) target.searchParams.set('state', asked.state)
    return target.href
  }

  function outcomeOf (
    asked: AuthorisationRequest | RefusedRequest,
    decision: Consent['decision']
  ): Record<string, string> {
    if ('error' in asked) return { error: asked.error, error_description: asked.description }
    if (decision === 'refuse') return { error: 'access_denied', error_description: 'User denied access' }
    return { code: tokens.issueCode(asked, consent.account) }
  }
}

function checkClient (request: FastifyRequest, { clientId, clientSecret }: Application): void {
  const [, encoded] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (encoded === undefined) {
    throw new OAuthError(401, 'unauthorized', 'Full authentication is required to access this resource')
  }
  if (Buffer.from(encoded, 'base64').toString() !== `${clientId}:${clientSecret}`) {
    throw new OAuthError(401, 'invalid_client', 'Bad client credentials')
  }
}

function redeem (
  parameters: Record<string, string>,
  { application, tokens }: Pick<WebHost, 'application' | 'tokens'>
): TokenPair {
  const {
    grant_type: type,
    code,
    refresh_token: refreshToken,
    redirect_uri: redirectUri,
    code_verifier: verifier
  } = parameters
  if (type === 'authorization_code') {
    if (code === undefined) throw new OAuthError(400, 'invalid_request', 'An authorization code must be supplied.')
    return tokens.redeemCode(code, redirectUri, verifier)
  }
  if (type !== 'refresh_token') throw new OAuthError(400, 'unsupported_grant_type', `Unsupported grant type: ${type}`)
  if (refreshToken === undefined) throw new OAuthError(400, 'invalid_request', 'A refresh token must be supplied.')
  if (redirectUri !== undefined && redirectUri !== application.redirectUri) {
    throw new OAuthError(400, 'invalid_grant', 'Redirect URI mismatch.')
  }
  return tokens.refresh(refreshToken)
}

function tokenBody ({ accessToken, refreshToken, expiresInSeconds, scopes, jti }: TokenPair, issuer: string) {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    refresh_token: refreshToken,
    expires_in: expiresInSeconds,
    scope: scopes.join(' '),
    mkta_api: true,
    iss: issuer,
    jti
  }
}
