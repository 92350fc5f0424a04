import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { CrossOriginError, InsecureSessionError, InvalidRequestError } from '../errors.ts'
import { isSameOrigin } from '../http/session-cookie.ts'
import { callerOf } from './caller-of.ts'
import { SessionBody, SessionView } from './schemas.ts'

export interface SessionOptions {
  publicUrl: string | undefined
  isProduction: boolean
}

/** Lets a person sign in with a token. The browser then keeps a cookie that no script can read. */
const routes: FastifyPluginAsyncTypebox<SessionOptions> = async (app, { publicUrl, isProduction }) => {
  app.addSchema(SessionView)
  const { tokens, sessionCookie } = app
  const tags = ['access']

  app.post('/session', {
    config: {
      scope: 'public',
      problems: ['LNK_UNAUTHORIZED', 'LNK_CROSS_ORIGIN', 'LNK_SESSION_INSECURE', 'LNK_TOKEN_FAILURES']
    },
    schema: {
      tags,
      operationId: 'signIn',
      summary: 'Sign in with a token: the answer sets a cookie for 12 hours, or until the token ends',
      description:
        'For browsers. Programs send the token as a bearer token instead. Only a page of the hub itself may use ' +
        'the session for changes.',
      body: SessionBody,
      response: { 201: Type.Ref(SessionView) }
    }
  }, async (request, reply) => {
    // A foreign page must not sign a person in as somebody else.
    if (request.headers.origin !== undefined && !isSameOrigin(request, publicUrl)) throw new CrossOriginError()
    if (isProduction && !isPrivate(request, publicUrl)) throw new InsecureSessionError()
    const { token } = request.body
    const caller = await app.identify(token, request, reply)
    if (caller.sessionId !== null) throw new InvalidRequestError('`token` is a session. Sign in with a token')
    request.caller = caller
    const { session, expiresAt } = await tokens.beginSession(token, caller)
    sessionCookie.set(reply, session, expiresAt)
    return reply.code(201).send({
      name: caller.name,
      scope: caller.scope,
      expiresAt: expiresAt.toISOString(),
      isSession: true
    })
  })

  app.get('/session', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'readSession',
      summary: 'Read who the token or session stands for',
      description: 'Use it to check a token and its scope.',
      response: { 200: Type.Ref(SessionView) }
    }
  }, async request => {
    const { name, scope, sessionId, expiresAt } = callerOf(request)
    return { name, scope, expiresAt, isSession: sessionId !== null }
  })

  app.delete('/session', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'signOut',
      summary: 'Sign out',
      description:
        'Ends the session of the cookie. A request with a bearer token is refused: revoke the token instead.',
      response: { 204: Type.Null() }
    }
  }, async (request, reply) => {
    const { sessionId } = callerOf(request)
    if (sessionId === null) throw new InvalidRequestError('This request carries a token and no session')
    await tokens.revoke(sessionId)
    sessionCookie.clear(reply)
    return reply.code(204).send(null)
  })
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

/** Whether nobody between browser and hub can read the cookie. */
function isPrivate ({ ip, headers }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (publicUrl?.startsWith('https:') === true) return true
  // A proxy on this machine serves people on others.
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto'].some(name => name in headers)
  return loopback.test(ip) && !isForwarded
}

export default routes
