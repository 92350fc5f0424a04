import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Registry } from '../adapters/registry.ts'
import { InvalidConnectionError } from '../errors.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { linkNextPage } from '../http/paging.ts'
import { Id } from '../http/schemas.ts'
import accountRoutes from './accounts/routes.ts'
import { testConnection } from './connection-test.ts'
import cursorRoutes from './cursors/routes.ts'
import deletionRoutes from './deletion/routes.ts'
import { createEffectiveConfigOf } from './effective-config.ts'
import type { Connection } from './entity.ts'
import healthRoutes from './health/routes.ts'
import { parseIfMatch } from './if-match.ts'
import invocationRoutes from './invocation/routes.ts'
import moveRoutes from './moves/routes.ts'
import type { Changed } from './patch.ts'
import pauseRoutes from './pauses/routes.ts'
import {
  ConnectionBody,
  ConnectionPatch,
  ConnectionQuery,
  ConnectionTest,
  ConnectionView,
  CredentialsBody,
  DisableBody,
  IfMatch
} from './schemas.ts'
import upstreamRoutes from './upstream/routes.ts'
import { withoutSecretMembers } from './validate.ts'

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(ConnectionView)
  app.addSchema(ConnectionTest)
  const { connections, adapters, webhookInstalls } = app
  const effectiveConfigOf = createEffectiveConfigOf(adapters)
  const tags = ['connections']

  async function view (found: readonly Connection[]): Promise<ConnectionView[]> {
    const configured = await webhookInstalls.configuredOf(found)
    return found.map(connection => ({
      ...describeConnection(adapters.registry, connection),
      webhooksConfigured: configured.has(connection.id)
    }))
  }

  async function answer (reply: FastifyReply, changed: Changed): Promise<ConnectionView> {
    reply.header('etag', `"${changed.connection.version}"`)
    const [viewed] = await view([changed.connection])
    return {
      ...viewed as ConnectionView,
      ...effectiveConfigOf(changed.connection),
      warnings: changed.warnings.length > 0 ? changed.warnings : undefined
    }
  }

  app.post('/connections', {
    config: {
      scope: 'admin',
      idempotent: true,
      problems: [
        'LNK_CONNECTION_INVALID',
        'LNK_PLATFORM_UNKNOWN',
        'LNK_CREDENTIALS_NOT_FOUND',
        'LNK_CONNECTION_CREATION_FAILED',
        'LNK_CREDENTIAL_STORE_NOT_AVAILABLE',
        'LNK_ACCOUNT_CONNECTED',
        'LNK_TAKE_OVER_REFUSED'
      ]
    },
    schema: {
      tags,
      operationId: 'createConnection',
      summary: 'Create a connection',
      description:
        'The hub checks config and credentials against the schemas of the adapter, and stores the credentials, ' +
        'encrypted when `LINKER_CREDENTIALS_KEY` is set. Test the connection afterwards.',
      headers: IdempotencyHeaders,
      body: ConnectionBody,
      response: { 201: Type.Ref(ConnectionView) }
    }
  }, async (request, reply) => {
    const created = await connections.create(request.body, request.operationId)
    reply.code(201).header('location', `/connections/${created.connection.id}`)
    return answer(reply, created)
  })

  app.get('/connections', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listConnections',
      summary: 'List connections',
      description: 'Oldest first. Secrets are left out.',
      querystring: ConnectionQuery,
      response: { 200: Type.Array(Type.Ref(ConnectionView)) }
    }
  }, async (request, reply) => {
    const found = await view(await connections.list(request.query))
    linkNextPage(request, reply, found, request.query.limit)
    return found
  })

  app.get('/connections/:id', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readConnection',
      summary: 'Read a connection',
      description:
        'The `ETag` is the version of the connection. Send it as `If-Match` with a change, so that you do not ' +
        'undo the change of somebody else.',
      params: Params,
      response: { 200: Type.Ref(ConnectionView) }
    }
  }, async (request, reply) => {
    return answer(reply, { connection: await connections.get(request.params.id), warnings: [] })
  })

  app.patch('/connections/:id', {
    config: {
      scope: 'admin',
      problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CONNECTION_INVALID', 'LNK_CONNECTION_MOVING']
    },
    schema: {
      tags,
      operationId: 'updateConnection',
      summary: 'Change a connection; `config` and `settings` are merged, null removes',
      description:
        'A JSON merge patch (RFC 7396). Members that you leave out stay as they are. Set the credentials with ' +
        '`replaceCredentials`.',
      params: Params,
      headers: IfMatch,
      body: ConnectionPatch,
      response: { 200: Type.Ref(ConnectionView) }
    }
  }, async (request, reply) => {
    return answer(
      reply,
      await connections.patch(request.params.id, request.body, parseIfMatch(request.headers['if-match']))
    )
  })

  app.patch('/connections/:id/disable', {
    config: {
      scope: 'operate',
      allowsNoBody: true,
      problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CONNECTION_MOVING']
    },
    schema: {
      tags,
      operationId: 'disableConnection',
      summary: 'Disable a connection: its webhooks are refused, its jobs wait',
      description: 'To keep its events for later, pause it instead. `reason` becomes its `statusReason`.',
      params: Params,
      headers: IfMatch,
      body: DisableBody,
      response: { 200: Type.Ref(ConnectionView) }
    }
  }, async ({ params, headers, body: { reason } }, reply) => {
    const expectedVersion = parseIfMatch(headers['if-match'])
    return answer(reply, {
      connection: await connections.disable(params.id, { reason, expectedVersion }),
      warnings: []
    })
  })

  app.patch('/connections/:id/enable', {
    config: { scope: 'operate', problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CONNECTION_MOVING'] },
    schema: {
      tags,
      operationId: 'enableConnection',
      summary: 'Enable a disabled connection: its webhooks are accepted, its jobs go on',
      description: 'A connection in `error` stays so: a test that succeeds or new credentials end that.',
      params: Params,
      headers: IfMatch,
      response: { 200: Type.Ref(ConnectionView) }
    }
  }, async ({ params, headers }, reply) => {
    return answer(reply, {
      connection: await connections.enable(params.id, parseIfMatch(headers['if-match'])),
      warnings: []
    })
  })

  app.put('/connections/:id/credentials', {
    config: {
      scope: 'admin',
      problems: [
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_CONNECTION_INVALID',
        'LNK_CREDENTIAL_STORE_NOT_AVAILABLE',
        'LNK_ADAPTER_MISSING',
        'LNK_ACCOUNT_CONNECTED',
        'LNK_ACCOUNT_DIFFERS'
      ]
    },
    schema: {
      tags,
      operationId: 'replaceCredentials',
      summary: 'Test and replace the credentials; test=false skips the test',
      description:
        'The hub tries the new credentials at the platform first, and keeps the old ones when the platform ' +
        'refuses the new ones.',
      params: Params,
      headers: IfMatch,
      querystring: Type.Object({ test: Type.Boolean({ default: true }) }, { additionalProperties: false }),
      body: CredentialsBody,
      response: { 204: Type.Null() }
    }
  }, async (request, reply) => {
    const { id } = request.params
    if (request.query.test) {
      const result = await testConnection(
        connections,
        adapters,
        id,
        { requestId: request.id, log: request.log },
        request.body.credentials
      )
      if (!result.success) {
        throw new InvalidConnectionError('The platform did not accept the new credentials; the old ones stay: ' +
          `${result.message}`)
      }
    }
    await connections.replaceCredentials(id, request.body.credentials, {
      expectedVersion: parseIfMatch(request.headers['if-match'])
    })
    return reply.code(204).send(null)
  })

  app.post('/connections/:id/test', {
    config: {
      scope: 'operate',
      changesNothing: true,
      problems: [
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_CREDENTIALS_NOT_FOUND',
        'LNK_CREDENTIAL_STORE_NOT_AVAILABLE',
        'LNK_ADAPTER_MISSING',
        'LNK_CONFIG_INVALID'
      ]
    },
    schema: {
      tags,
      operationId: 'testConnection',
      summary: 'Test address and credentials; disabled connections can be tested, too',
      description: 'Answers 200 also when the test fails: read `success`. Each check comes with a hint.',
      params: Params,
      response: { 200: Type.Ref(ConnectionTest) }
    }
  }, async request => {
    return testConnection(connections, adapters, request.params.id, { requestId: request.id, log: request.log })
  })

  await app.register(healthRoutes)
  await app.register(moveRoutes)
  await app.register(cursorRoutes)
  await app.register(upstreamRoutes)
  await app.register(invocationRoutes)
  await app.register(deletionRoutes)
  await app.register(accountRoutes)
  await app.register(pauseRoutes, {
    answer: async (reply, id) => answer(reply, { connection: await connections.get(id), warnings: [] })
  })
}

function describeConnection (registry: Registry, connection: Connection): Omit<ConnectionView, 'webhooksConfigured'> {
  const { id, platformType, name, status, statusReason, settings, credentialsRef } = connection
  const { adapterKey, adapterVersion, capabilities } = connection
  const serving = registry.find(adapterKey, adapterVersion)
  const adapter = serving ?? registry.find(adapterKey)
  return {
    id,
    platformType,
    name,
    status,
    // When no adapter serves the connection, the operator's status stays and the reason says why
    // the connection does nothing, unless the operator has said it.
    statusReason: serving === undefined && (status !== 'disabled' || typeof statusReason !== 'string')
      ? registry.explain(adapterKey, adapterVersion)
      : statusReason ?? null,
    config: withoutSecretMembers(adapter, connection),
    settings,
    credentialsRef: credentialsRef ?? null,
    adapterKey,
    adapterVersion: adapterVersion ?? null,
    capabilities,
    account: typeof connection.accountId === 'string'
      ? { name: connection.accountName ?? null, takesOrders: typeof connection.accountShared !== 'string' }
      : null,
    ordersSince: connection.ordersSince?.toISOString() ?? null,
    pauses: connection.pauses,
    createdAt: connection.createdAt.toISOString(),
    updatedAt: connection.updatedAt.toISOString()
  }
}

export default routes
