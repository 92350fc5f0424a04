import type { FastifyReply, FastifyRequest } from 'fastify'

/** The cookie of people who are signed in. No script can read it. */
export interface SessionCookie {
  /** The session of a request, if a browser sent one. */
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, session: string, expiresAt: Date): void
  clear(reply: FastifyReply): void
}

/** `publicUrl` is the address at which browsers reach the hub, when it is not the hub's own. */
export function createSessionCookie (publicUrl: string | undefined): SessionCookie {
  const isSecure = publicUrl?.startsWith('https:') === true
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure } as const

  // Browsers share cookies between the ports of a host, so two hubs on one machine need two names.
  const nameFor = ({ socket }: FastifyRequest): string => isSecure ? '__Host-linker' : `linker-${socket.localPort ?? 0}`

  return {
    // No script and no other route needs the cookies, so they are read only here.
    read: request => {
      const { cookie } = request.headers
      // A browser that has signed out may send the cookie without a value.
      return cookie === undefined ? undefined : request.server.parseCookie(cookie)[nameFor(request)] || undefined
    },
    set (reply, session, expires) {
      reply.setCookie(nameFor(reply.request), session, { ...options, expires })
    },
    clear (reply) {
      reply.clearCookie(nameFor(reply.request), options)
    }
  }
}

/**
 * Whether a browser sent the request for a page of the hub itself. Browsers add the cookie to
 * requests of foreign pages on the same site, too, so a cookie alone must not change anything.
 * `Sec-Fetch-Site` is missing on plain http beyond this machine; then `Origin` decides (Fetch
 * Metadata, section 2.3; OWASP, cross-site request forgery).
 */
export function isSameOrigin ({ headers }: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  if (origin === undefined) return false
  const sent = URL.parse(origin)
  return sent !== null &&
    (sent.host === host || (publicUrl !== undefined && sent.origin === URL.parse(publicUrl)?.origin))
}
