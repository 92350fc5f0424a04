import { allowsScope, tokenScopes, type TokenScope } from '@linker/sdk/host/text'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { timingSafeEqual } from 'node:crypto'
import { asError } from '../as-error.ts'
import { CrossOriginError, ForbiddenError, TokenFailuresError, UnauthorizedError } from '../errors.ts'
import type { OwnTokens } from './admin-token.ts'
import { createSessionCookie, isSameOrigin, type SessionCookie } from './session-cookie.ts'
import { hashToken } from './token-hash.ts'
import { createWrongTokens } from './wrong-tokens.ts'

export { tokenScopes }
export type { TokenScope }

/** Who may call a route: everybody, a webhook that authenticates by itself, or a token. */
export type Scope = 'public' | 'webhook' | TokenScope

/** Who a token stands for. */
export interface Caller {
  /** The id of a named token. Null: the hub's own token. */
  tokenId: string | null
  name: string
  scope: TokenScope
  /** The id of the session, when the request came by a session and not by the token itself. */
  sessionId: string | null
  /** ISO 8601. Null: no end. */
  expiresAt: string | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A function when one route serves many addresses: the hub calls it for each request. */
    scope?: Scope | ((request: FastifyRequest) => Scope)
  }
  interface FastifyRequest {
    /** Who asks. Null on a route that needs no token, even when the request carries one. */
    caller: Caller | null
  }
  interface FastifyInstance {
    /**
     * Sets the caller of a request. Throws `LNK_UNAUTHORIZED` without a valid token,
     * `LNK_TOKEN_FAILURES` after too many wrong ones, `LNK_CROSS_ORIGIN` when a foreign page uses a
     * session, and `LNK_FORBIDDEN` when the token does not have the scope.
     */
    authenticate(request: FastifyRequest, reply: FastifyReply, needed: TokenScope): Promise<void>
    /** Finds who a token stands for. Throws like `authenticate`. */
    identify(token: string, request: FastifyRequest, reply: FastifyReply): Promise<Caller>
    /**
     * Counts a wrong secret of the source of a request. Returns the error to throw: `refusal`, or
     * `LNK_TOKEN_FAILURES` after too many.
     */
    refuseWrong(refusal: Error & { code: string }, request: FastifyRequest, reply: FastifyReply): Error
    /** The hashes of the hub's own tokens that are valid now. */
    ownTokenHashes(): string[]
    sessionCookie: SessionCookie
  }
}

export interface AuthenticationOptions {
  /** The hub's own tokens. Their scope is `admin`. */
  ownTokens: OwnTokens
  /** Finds a named token or session by its hash. `ownHashes` are those of the own tokens. */
  findToken: (hash: string, ownHashes: readonly string[]) => Promise<Caller | 'ended' | undefined>
  /** Called for each request that is refused, with the code of the refusal. */
  onRefused?: (code: string) => void
  /** The address at which browsers reach the hub, when it is not the hub's own. */
  publicUrl?: string | undefined
  nowMs?: () => number
}

const scopes: ReadonlySet<unknown> = new Set<Scope>(['public', 'webhook', ...tokenScopes])
const bearer = /^bearer +(\S+) *$/i
/** Who the hub's own token stands for. No named token can have this name. */
export const owner: Caller = { tokenId: null, name: '(own token)', scope: 'admin', sessionId: null, expiresAt: null }

/**
 * Deny by default: a route that declares no scope stops the start, and every route but the open
 * ones needs a token of its scope.
 */
export default fp<AuthenticationOptions>(async (app, options) => {
  const { ownTokens, findToken, publicUrl, onRefused = () => undefined, nowMs = () => performance.now() } = options
  const wrongTokens = createWrongTokens(nowMs)
  const sessionCookie = createSessionCookie(publicUrl)
  const routes: RouteOptions[] = []

  app.decorateRequest('caller', null)
  app.decorate('sessionCookie', sessionCookie)
  app.decorate('identify', identify)
  app.decorate('refuseWrong', refuseWrong)
  app.decorate('ownTokenHashes', ownTokenHashes)
  app.decorate('authenticate', async (request, reply, needed) => {
    const caller = await identify(tokenOf(request), request, reply)
    request.caller = caller
    if (!allowsScope(caller.scope, needed)) throw refusal(new ForbiddenError(caller.name, caller.scope, needed))
  })

  async function authenticateThen (
    request: FastifyRequest,
    reply: FastifyReply,
    needed: TokenScope,
    done: (error?: Error) => void
  ): Promise<void> {
    try {
      await app.authenticate(request, reply, needed)
    } catch (error) {
      done(asError(error))
      return
    }
    done()
  }

  function tokenOf (request: FastifyRequest): string {
    const given = bearerOf(request)
    if (given !== undefined) return given
    const session = (request.headers.authorization ?? '') === '' ? sessionCookie.read(request) : undefined
    if (session === undefined) throw refusal(new UnauthorizedError())
    if (!isSafe(request) && !isSameOrigin(request, publicUrl)) throw refusal(new CrossOriginError())
    return session
  }

  function ownTokenHashes (): string[] {
    return ownTokens().map(hashToken)
  }

  async function identify (token: string, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const hash = hashToken(token)
    const ownHashes = ownTokenHashes()
    // Hashes have the same length, so the comparison tells nothing about the length of the token.
    const isOwn = ownHashes.some(own => timingSafeEqual(Buffer.from(own), Buffer.from(hash)))
    const found = isOwn ? owner : await findToken(hash, ownHashes)
    // Nobody guesses by repeating a token that was right: an open page may send its ended session.
    if (found === 'ended') throw refusal(Object.assign(new UnauthorizedError(), { message: endedToken }))
    if (found === undefined) {
      // A client that sent a wrong token needs another hint than one that sent none.
      throw refuseWrong(Object.assign(new UnauthorizedError(), { message: unknownToken }), request, reply)
    }
    return found
  }

  function refuseWrong (wrong: Error & { code: string }, { ip }: FastifyRequest, reply: FastifyReply): Error {
    // Slow wrong tokens only. Nobody guesses 32 random bytes, but a stranger behind the same proxy
    // could otherwise keep everybody out.
    const waitSeconds = wrongTokens.add(ip)
    if (waitSeconds === 0) return refusal(wrong)
    reply.header('retry-after', String(waitSeconds))
    return refusal(new TokenFailuresError(waitSeconds))
  }

  function refusal<Refusal extends Error & { code: string }> (error: Refusal): Refusal {
    onRefused(error.code)
    return error
  }

  app.addHook('onRoute', route => {
    routes.push(route)
  })
  // Check when the hub is ready and not in onRoute: a plugin's own onRoute hook may still add the
  // scope, and it runs after this one.
  app.addHook('onReady', async () => {
    const undeclared = routes.filter(({ config }) => typeof config?.scope !== 'function' && !scopes.has(config?.scope))
      .map(route => `${String(route.method)} ${route.url}`)
    if (undeclared.length > 0) throw new TypeError(`these routes declare no scope: ${undeclared.join(', ')}`)
  })

  app.addHook('onRequest', (request, reply, done) => {
    const needed = neededScope(request)
    // Stay synchronous for webhooks: they are many.
    if (needed === undefined) done()
    else void authenticateThen(request, reply, needed, done)
  })
}, { name: 'authentication' })

const endedToken = 'This token or session was revoked or is past its end'
const unknownToken = "This is no token of this hub. `linker token` prints the hub's own token on its machine"

/** The token in the header of a request. */
export function bearerOf ({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return bearer.exec(authorization)?.[1]
}

/** Whether a request only reads (RFC 9110, section 9.2.1). */
function isSafe ({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The scope that a request needs. Undefined: none, because its route is open or does not exist. */
export function neededScope (request: FastifyRequest): TokenScope | undefined {
  const { scope } = request.routeOptions.config
  const declared = typeof scope === 'function' ? scope(request) : scope
  return request.is404 || declared === 'public' || declared === 'webhook' ? undefined : declared ?? 'admin'
}

export function isTokenScope (scope: unknown): scope is TokenScope {
  return (tokenScopes as readonly unknown[]).includes(scope)
}
