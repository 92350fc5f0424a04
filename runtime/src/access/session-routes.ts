import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CrossOriginError, InsecureSessionError, InvalidRequestError, SignInCodeEndedError } from '../errors.ts'
import { bearerOf } from '../http/authentication.ts'
import { isSameOrigin } from '../http/session-cookie.ts'
import { callerOf } from './caller-of.ts'
import { signInPath } from './console-address.ts'
import { MadeCode, SessionBody, SessionView } from './schemas.ts'
import type { BegunSession } from './tokens.ts'

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
      problems: [
        'LNK_UNAUTHORIZED',
        'LNK_SIGN_IN_CODE_ENDED',
        'LNK_CROSS_ORIGIN',
        'LNK_SESSION_INSECURE',
        'LNK_TOKEN_FAILURES'
      ]
    },
    schema: {
      tags,
      operationId: 'signIn',
      summary: 'Sign in with a token or a code: the answer sets a cookie for 12 hours, or until the token ends',
      description:
        'For browsers. Programs send the token as a bearer token instead. Only a page of the hub itself may use ' +
        'the session for changes. A code begins the same session as the token that made it, and works once.',
      body: SessionBody,
      response: { 201: Type.Ref(SessionView) }
    }
  }, async (request, reply) => {
    // A foreign page must not sign a person in as somebody else.
    if (request.headers.origin !== undefined && !isSameOrigin(request, publicUrl)) throw new CrossOriginError()
    if (isProduction && !isPrivate(request, publicUrl)) throw new InsecureSessionError()
    const { token, code = '' } = request.body
    const { session, expiresAt } = token === undefined
      ? await beginByCode(code, request, reply)
      : await beginByToken(token, request, reply)
    sessionCookie.set(reply, session, expiresAt)
    const { name, scope } = callerOf(request)
    return reply.code(201).send({
      name,
      scope,
      expiresAt: expiresAt.toISOString(),
      isSession: true
    })
  })

  async function beginByToken (token: string, request: FastifyRequest, reply: FastifyReply): Promise<BegunSession> {
    const caller = await app.identify(token, request, reply)
    if (caller.sessionId !== null) throw new InvalidRequestError('`token` is a session. Sign in with a token')
    request.caller = caller
    return tokens.beginSession(token, caller)
  }

  async function beginByCode (code: string, request: FastifyRequest, reply: FastifyReply): Promise<BegunSession> {
    const begun = await tokens.beginSessionByCode(code, app.ownTokenHashes(), caller => {
      request.caller = caller
    })
    if (begun === undefined) throw app.refuseWrong(new SignInCodeEndedError(), request, reply)
    return begun
  }

  // Without an Idempotency-Key: its stored answer would hold the code.
  app.post('/session/codes', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'createSignInCode',
      summary: 'Make a code with which a person signs in once, within 10 minutes',
      description:
        'For programs that hold a token and show a person a link. The session is like one begun with the token ' +
        'itself. A request that comes by a session is refused: its codes could outlive it.',
      response: { 201: MadeCode }
    }
  }, async (request, reply) => {
    const caller = callerOf(request)
    const token = bearerOf(request)
    if (caller.sessionId !== null || token === undefined) {
      throw new InvalidRequestError('This request carries a session. Only a token makes sign-in codes')
    }
    const { code, expiresAt } = await tokens.createCode(token, caller)
    return reply.code(201).send({ code, expiresAt: expiresAt.toISOString(), path: signInPath(code) })
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
