import type { FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { createHash, timingSafeEqual } from 'node:crypto'
import { UnauthorizedError } from '../errors.ts'

/** Who may call a route. `webhook` authenticates by itself. */
export type Scope = 'public' | 'webhook' | 'admin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A function when one route serves many addresses: the hub calls it for each request. */
    scope?: Scope | ((request: FastifyRequest) => Scope)
  }
  interface FastifyInstance {
    /** Whether a request carries the token of the API. */
    hasToken(request: FastifyRequest): boolean
  }
}

const scopes: ReadonlySet<unknown> = new Set<Scope>(['public', 'webhook', 'admin'])
const bearer = /^bearer +(\S+) *$/i

/**
 * Deny by default: a route that declares no scope stops the start, and every route but the open
 * ones needs the token.
 */
export default fp<{ token: string }>(async (app, { token }) => {
  const expected = hash(token)
  const routes: RouteOptions[] = []

  app.decorate('hasToken', request => isToken(request.headers.authorization, expected))
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

  app.addHook('onRequest', (request, _reply, done) => {
    if (isOpen(request) || app.hasToken(request)) done()
    else done(unauthorized(request))
  })
}, { name: 'admin-auth' })

export function scopeOf (request: FastifyRequest): Scope | undefined {
  const { scope } = request.routeOptions.config
  return typeof scope === 'function' ? scope(request) : scope
}

function isOpen (request: FastifyRequest): boolean {
  const scope = scopeOf(request)
  return scope === 'public' || scope === 'webhook' || request.is404
}

/** A client that sent a wrong token needs another hint than one that sent none. */
export function unauthorized ({ headers: { authorization } }: FastifyRequest): Error {
  const hasOne = bearer.test(authorization ?? '')
  return hasOne
    ? Object.assign(new UnauthorizedError(), {
      message: 'The token is not the token of this hub; `linker token` prints the right one'
    })
    : new UnauthorizedError()
}

function isToken (authorization: string | undefined, expected: Buffer): boolean {
  const given = bearer.exec(authorization ?? '')?.[1]
  // Hashes have the same length, so the comparison tells nothing about the length of the token.
  return given !== undefined && timingSafeEqual(hash(given), expected)
}

function hash (text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
