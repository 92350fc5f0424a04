import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { OAuthError } from './errors.ts'

export interface Account {
  id: string
  login: string
  firstName: string
  lastName: string
  email: string
  company: { name: string, taxId: string }
  baseMarketplace: { id: string }
  features: string[]
}

export interface Application {
  clientId: string
  clientSecret: string
  /** The registered address, which a request must repeat character by character. */
  redirectUri: string
  scopes: readonly string[]
  /** The name on the consent page. */
  name: string
}

/** One authorisation with all its refreshes. */
export interface Grant {
  account: Account
  scopes: readonly string[]
  refreshToken: string
  isRevoked: boolean
}

export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  scopes: readonly string[]
  jti: string
}

/** A request for tokens, whatever its answer: with a code, or with a refresh token. */
export interface TokenRequest {
  type: 'authorization_code' | 'refresh_token'
  token: string
}

export interface CodeRequest {
  redirectUri: string
  challenge: string | undefined
  scopes: readonly string[]
}

export interface Lifetimes {
  codeMs: number
  accessTokenMs: number
  refreshTokenMs: number
  /** How many authorisations an account may have at once; one more ends the oldest. */
  sessions: number
}

/**
 * Makes the store of codes and tokens. A code and a refresh token work once:
 *
 *     code ──▶ pair 1 ──refresh──▶ pair 2 ──refresh──▶ pair 3
 *                └─ its refresh token again: all pairs of the grant are dead
 */
export function createTokens ({ now, lifetimes }: { now: () => Date, lifetimes: Lifetimes }) {
  const codes = new Map<string, CodeRequest & { account: Account, expiresAt: number }>()
  const refreshTokens = new Map<string, { grant: Grant, expiresAt: number }>()
  const accessTokens = new Map<string, { grant: Grant, refreshToken: string, expiresAt: number }>()
  const grants: Grant[] = []
  const requests: TokenRequest[] = []

  function issueCode (request: CodeRequest, account: Account): string {
    const code = randomBytes(24).toString('base64url')
    codes.set(code, { ...request, account: structuredClone(account), expiresAt: now().getTime() + lifetimes.codeMs })
    return code
  }

  function redeemCode (code: string, redirectUri: string | undefined, verifier: string | undefined): TokenPair {
    requests.push({ type: 'authorization_code', token: code })
    const found = codes.get(code)
    codes.delete(code)
    if (found === undefined || found.expiresAt <= now().getTime()) {
      throw invalidGrant(`Invalid authorization code: ${code}`)
    }
    if (found.redirectUri !== redirectUri) throw invalidGrant('Redirect URI mismatch.')
    if (found.challenge !== undefined && found.challenge !== challengeOf(verifier ?? '')) {
      throw invalidGrant('Invalid code verifier')
    }
    return open(found.account, found.scopes)
  }

  function open (account: Account, scopes: readonly string[]): TokenPair {
    const grant = { account: structuredClone(account), scopes, refreshToken: '', isRevoked: false }
    grants.push(grant)
    const alive = grants.filter(other => other.account.id === account.id && !other.isRevoked)
    for (const oldest of alive.slice(0, -lifetimes.sessions)) oldest.isRevoked = true
    return issuePair(grant)
  }

  function refresh (refreshToken: string): TokenPair {
    requests.push({ type: 'refresh_token', token: refreshToken })
    const found = refreshTokens.get(refreshToken)
    const isUsed = found !== undefined && found.grant.refreshToken !== refreshToken
    if (isUsed) found.grant.isRevoked = true
    if (found === undefined || found.grant.isRevoked || found.expiresAt <= now().getTime()) {
      throw invalidGrant(`Invalid refresh token: ${refreshToken}`)
    }
    return issuePair(found.grant)
  }

  function issuePair (grant: Grant): TokenPair {
    const [time, jti] = [now().getTime(), randomUUID()]
    const pair = { accessToken: tokenText(jti, 'access'), refreshToken: tokenText(jti, 'refresh') }
    grant.refreshToken = pair.refreshToken
    accessTokens.set(pair.accessToken, {
      grant,
      refreshToken: pair.refreshToken,
      expiresAt: time + lifetimes.accessTokenMs
    })
    refreshTokens.set(pair.refreshToken, { grant, expiresAt: time + lifetimes.refreshTokenMs })
    return {
      ...pair,
      expiresInSeconds: Math.max(0, Math.floor(lifetimes.accessTokenMs / 1_000) - 1),
      scopes: grant.scopes,
      jti
    }
  }

  /** Returns the grant of the token in an `Authorization` header. */
  function grantOf (authorization: string | undefined): Grant {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? []
    if (token === undefined) {
      throw new OAuthError(401, 'unauthorized', 'Full authentication is required to access this resource')
    }
    const found = accessTokens.get(token)
    if (found === undefined) throw new OAuthError(401, 'invalid_token', 'Cannot convert access token to JSON')
    const { grant, refreshToken, expiresAt } = found
    if (grant.isRevoked || grant.refreshToken !== refreshToken || expiresAt <= now().getTime()) {
      throw new OAuthError(401, 'invalid_token', `Access token expired: ${token}`)
    }
    return grant
  }

  return {
    requests,
    issueCode,
    redeemCode,
    open,
    refresh,
    grantOf,
    revokeAll (): void {
      for (const grant of grants) grant.isRevoked = true
    }
  }
}

export type Tokens = ReturnType<typeof createTokens>

function invalidGrant (message: string): OAuthError {
  return new OAuthError(400, 'invalid_grant', message)
}

function challengeOf (verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

// Tokens are as long as the marketplace's, so that tests find storage that is too small for one.
function tokenText (jti: string, use: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [
    part({ alg: 'RS256', typ: 'JWT' }),
    part({ jti, use, filler: randomBytes(600).toString('base64url') }),
    randomBytes(256).toString('base64url')
  ].join('.')
}
