import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { linkNextPage } from '../http/paging.ts'
import { Id } from '../http/schemas.ts'
import { callerOf } from './caller-of.ts'
import { MadeToken, TokenBody, TokenQuery, TokenView } from './schemas.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(TokenView)
  const { tokens } = app
  const tags = ['access']

  app.get('/tokens', {
    config: { scope: 'admin' },
    schema: {
      tags,
      operationId: 'listTokens',
      summary: 'List the named tokens that are not revoked, or who is signed in',
      description: 'With `kind=session` it lists the people who are signed in. Neither list holds a token itself.',
      querystring: TokenQuery,
      response: { 200: Type.Array(Type.Ref(TokenView)) }
    }
  }, async (request, reply) => {
    const found = await tokens.list(request.query)
    linkNextPage(request, reply, found, request.query.limit)
    return found
  })

  // Without an Idempotency-Key: its stored answer would hold the token. The name is the key: a
  // repetition answers 409.
  app.post('/tokens', {
    config: { scope: 'admin', problems: ['LNK_TOKEN_NAME_TAKEN'] },
    schema: {
      tags,
      operationId: 'createToken',
      summary: 'Make a named token. The answer holds the token, which the hub never shows again',
      description:
        'Keep the token of the answer: the hub stores only its hash. A repetition with the same name answers 409.',
      body: TokenBody,
      response: { 201: MadeToken }
    }
  }, async (request, reply) => {
    const made = await tokens.create(request.body, callerOf(request))
    return reply.code(201).send(made)
  })

  app.delete('/tokens/:id', {
    config: { scope: 'admin', problems: ['LNK_TOKEN_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'revokeToken',
      summary: 'Revoke a named token. The next request with it answers 401',
      description: 'Also ends a session. The id stays in the audit.',
      params: Type.Object({ id: Id }),
      response: { 204: Type.Null() }
    }
  }, async (request, reply) => {
    await tokens.revoke(request.params.id)
    return reply.code(204).send(null)
  })
}

export default routes
