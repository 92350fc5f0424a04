import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeliveryMethod } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { adapterProblems } from '../adapters/adapter-failure.ts'
import { parseIfMatch } from '../connections/if-match.ts'
import { openingProblems } from '../connections/open-connection.ts'
import { IfMatch } from '../connections/schemas.ts'
import { CapabilityNotSupportedException } from '../errors.ts'
import { Id } from '../http/schemas.ts'
import { createAsk } from './ask-adapter.ts'
import { candidatesFor, readCarriers, withMissingAdapters } from './carriers.ts'
import { resolveRoute } from './resolve-route.ts'
import { describeRule, replaceRuleSet } from './rule-sets.ts'
import { Candidate, RouteQuery, RouteView, RoutingRules } from './schemas.ts'
import { readRuleSet } from './store.ts'

const Params = Type.Object({ id: Id })
const DeliveryMethods = Type.Array(DeliveryMethod)

const routes: FastifyPluginAsyncTypebox = async app => {
  for (const schema of [Candidate, RoutingRules, RouteView]) app.addSchema(schema)
  const { database, connections } = app
  const { registry } = app.adapters
  const ask = createAsk(app)
  const tags = ['fulfilment']

  /**
   * Returns the id of a connection that brings orders, in lower case. Other connections have no
   * rules; a disabled one keeps its rules.
   */
  async function getSource (id: string): Promise<string> {
    const { adapterKey, capabilities } = await connections.get(id)
    if (!capabilities.some(name => name === 'OrderSource' || name === 'Marketplace')) {
      throw new CapabilityNotSupportedException(adapterKey, 'OrderSource')
    }
    return id.toLowerCase()
  }

  app.get('/connections/:id/routing-rules/candidates', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CAPABILITY_NOT_SUPPORTED'] },
    schema: {
      tags,
      operationId: 'listRoutingCandidates',
      summary: 'List who may dispatch the orders of this marketplace',
      description: 'One that cannot dispatch now has a `reason`.',
      params: Params,
      response: { 200: Type.Array(Type.Ref(Candidate)) }
    }
  }, async request => {
    const id = await getSource(request.params.id)
    return candidatesFor(id, withMissingAdapters(await readCarriers(database.query), registry))
  })

  app.get('/connections/:id/routing-rules', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CAPABILITY_NOT_SUPPORTED'] },
    schema: {
      tags,
      operationId: 'readRoutingRules',
      summary: 'Read the routing rules of this marketplace',
      description: 'The `ETag` is the version of the rules. Send it as `If-Match` when you replace them.',
      params: Params,
      response: { 200: Type.Ref(RoutingRules) }
    }
  }, async (request, reply) => {
    const { version, rules } = await readRuleSet(database.query, await getSource(request.params.id))
    reply.header('etag', `"${version}"`)
    return { items: rules.map(describeRule) }
  })

  app.put('/connections/:id/routing-rules', {
    config: { scope: 'operate', problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CAPABILITY_NOT_SUPPORTED'] },
    schema: {
      tags,
      operationId: 'replaceRoutingRules',
      summary: 'Replace all routing rules of this marketplace',
      description: 'Rules that the body does not have are removed.',
      params: Params,
      headers: IfMatch,
      body: Type.Ref(RoutingRules),
      response: { 200: Type.Ref(RoutingRules) }
    }
  }, async (request, reply) => {
    const id = await getSource(request.params.id)
    const expectedVersion = parseIfMatch(request.headers['if-match'])
    const { items } = request.body
    const { version, rules } = await replaceRuleSet(database, registry, id, { items, expectedVersion })
    reply.header('etag', `"${version}"`)
    return { items: rules.map(describeRule) }
  })

  app.get('/connections/:id/routing-rules/resolve', {
    config: { scope: 'read', problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CAPABILITY_NOT_SUPPORTED'] },
    schema: {
      tags,
      operationId: 'resolveRoute',
      summary: 'Read who would dispatch an order with this delivery method, and why',
      description: 'Use it to test rules before an order comes.',
      params: Params,
      querystring: RouteQuery,
      response: { 200: Type.Ref(RouteView) }
    }
  }, async request => {
    const connectionId = await getSource(request.params.id)
    const { rules } = await readRuleSet(database.query, connectionId)
    const carriers = withMissingAdapters(await readCarriers(database.query), registry)
    return resolveRoute(rules, carriers, { connectionId, deliveryMethodId: request.query.deliveryMethodId })
  })

  app.get('/connections/:id/delivery-methods', {
    config: {
      scope: 'read',
      problems: [
        ...openingProblems,
        'LNK_CONNECTION_PAUSED',
        'LNK_CAPABILITY_PAUSED',
        'LNK_CAPABILITY_NOT_SUPPORTED',
        ...adapterProblems
      ]
    },
    schema: {
      tags,
      operationId: 'listDeliveryMethods',
      summary: 'List the delivery methods that buyers of this marketplace choose from',
      description: 'Asks the marketplace. A routing rule names a method by its `id`.',
      params: Params,
      response: { 200: DeliveryMethods }
    }
  }, async (request, reply) => {
    const opened = await connections.openEnabled(request.params.id)
    const { adapterKey, capabilities } = opened.connection
    const capability = ['OfferManager', 'Marketplace'].find(name =>
      capabilities.includes(name) &&
      opened.adapter.description.capabilities[name]?.includes('listDeliveryMethods') !== false
    )
    if (capability === undefined) throw new CapabilityNotSupportedException(adapterKey, 'listDeliveryMethods')
    return ask({ opened, capability, method: 'listDeliveryMethods', args: [], answer: DeliveryMethods }, request, reply)
  })
}

export default routes
