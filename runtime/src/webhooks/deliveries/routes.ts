import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { recordChange } from '../../audit/store.ts'
import type { Config } from '../../config.ts'
import type { HasJobOn } from '../../events/jobs-of-connection.ts'
import { IdempotencyHeaders } from '../../http/idempotency.ts'
import { decodeCursor, linkPosition } from '../../http/paging.ts'
import { Id } from '../../http/schemas.ts'
import { toStorableTime } from '../../http/storable-time.ts'
import { createDeliveries } from './deliveries.ts'
import {
  DeliveryDetail,
  DeliveryQuery,
  DeliveryView,
  ReplayBody,
  Replayed,
  ReplaySummary,
  StaysIgnored,
  type DeliveryFilter
} from './schemas.ts'

export interface DeliveryRoutesOptions {
  config: Pick<Config, 'webhookKeptDays'>
  now: () => Date
  hasJob: HasJobOn
}

const Params = Type.Object({ id: Id })

const routes: FastifyPluginAsyncTypebox<DeliveryRoutesOptions> = async (app, { config, now, hasJob }) => {
  for (const schema of [DeliveryView, DeliveryDetail, Replayed, StaysIgnored, ReplaySummary]) app.addSchema(schema)
  const { query } = app.database
  const deliveries = createDeliveries({
    query,
    connections: app.webhookConnections,
    enqueueJobs: app.jobs.enqueueJobs,
    redactorsOf: app.connections.redactorsOf,
    waitsOf: app.jobs.waitsOf,
    keptDays: config.webhookKeptDays,
    hasJob,
    now
  })
  const tags = ['webhooks']

  app.get('/webhook-deliveries', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listDeliveries',
      summary: 'List the accepted deliveries and their ends, newest first. A page may be short and have a next one',
      description:
        'The log has a delivery as soon as its event became a job or was ignored. Follow the `Link` header until ' +
        'there is none.',
      querystring: DeliveryQuery,
      response: { 200: Type.Array(Type.Ref(DeliveryView)) }
    }
  }, async (request, reply) => {
    const { cursor, limit, ...filter } = request.query
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    const { deliveries: found, next } = await deliveries.list(storable(filter), { after, limit })
    linkPosition(request, reply, next)
    return found
  })

  app.get('/webhook-deliveries/:id', {
    config: { scope: 'read', problems: ['LNK_DELIVERY_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readDelivery',
      summary: 'Read a delivery by the `X-Linker-Delivery-Id` that its sender got',
      description: 'Shows the job of the delivery, why it waits or died, and all its replays.',
      params: Params,
      response: { 200: Type.Ref(DeliveryDetail) }
    }
  }, async request => deliveries.get(request.params.id))

  app.post('/webhook-deliveries/:id/replay', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: [
        'LNK_DELIVERY_NOT_FOUND',
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_CONNECTION_DISABLED',
        'LNK_DELIVERY_REPLAY_LIMIT',
        'LNK_DELIVERY_EXPIRED'
      ]
    },
    schema: {
      tags,
      operationId: 'replayDelivery',
      summary: 'Handle the event of a delivery again, by the mapping of today; the delivery itself does not change',
      description: 'Answers 202 with the new job, or 200 when the hub would ignore the event today, too.',
      params: Params,
      headers: IdempotencyHeaders,
      response: { 200: Type.Ref(StaysIgnored), 202: Type.Ref(Replayed) }
    }
  }, async (request, reply) => {
    const { params: { id }, operationId } = request
    const outcome = await deliveries.replay(id, { operationId, requestId: request.id })
    if ('ignored' in outcome) return { jobId: null, ignored: outcome.ignored }
    const { jobId, connectionId } = outcome
    await recordChange(query, { action: 'delivery.replay', connectionId, objectId: id })
    return reply.code(202).send({ jobId })
  })

  app.post('/webhook-deliveries/replay', {
    config: { scope: 'operate', idempotent: true, dryRuns: true, problems: ['LNK_DELIVERIES_TOO_MANY'] },
    schema: {
      tags,
      operationId: 'replayDeliveries',
      summary: 'Replay all deliveries that meet a filter, 500 at most, without those that were replayed already',
      description:
        'Send `dryRun: true` first: it counts what the filter meets and changes nothing. More than 500 matches ' +
        'are refused.',
      headers: IdempotencyHeaders,
      body: ReplayBody,
      response: { 200: Type.Ref(ReplaySummary), 202: Type.Ref(ReplaySummary) }
    }
  }, async (request, reply) => {
    const { body: { filter, includeReplayed, dryRun }, operationId } = request
    const summary = await deliveries.replayAll({ filter: storable(filter), includeReplayed, dryRun }, {
      operationId,
      requestId: request.id
    })
    if (dryRun) return summary
    const { connectionId } = filter
    await recordChange(query, { action: 'delivery.replay', connectionId, objectName: `${summary.jobs} deliveries` })
    return reply.code(202).send(summary)
  })
}

function storable ({ since, until, ...filter }: DeliveryFilter): DeliveryFilter {
  return {
    ...filter,
    ...(since === undefined ? {} : { since: toStorableTime(since) }),
    ...(until === undefined ? {} : { until: toStorableTime(until) })
  }
}

export default routes
