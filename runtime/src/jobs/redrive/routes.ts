import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { IdempotencyHeaders } from '../../http/idempotency.ts'
import { decodeCursor, linkNextPage } from '../../http/paging.ts'
import { Id } from '../../http/schemas.ts'
import {
  CancelDeadBody,
  CancelDeadResult,
  RedriveBody,
  RedrivePlan,
  RedriveQuery,
  RedriveStarted,
  RedriveView
} from './schemas.ts'

const Params = Type.Object({ id: Id })

/** Answers refer to the schema of a job, which the routes of jobs add. */
const routes: FastifyPluginAsyncTypebox = async app => {
  for (const schema of [RedrivePlan, RedriveStarted, RedriveView, CancelDeadResult]) app.addSchema(schema)
  const { redrives } = app
  const tags = ['jobs']

  app.post('/jobs/retry', {
    config: { scope: 'operate', idempotent: true, dryRuns: true },
    schema: {
      tags,
      operationId: 'retryJobs',
      summary: 'Run all dead jobs again that meet a filter; 200 with the plan of a dry run',
      description:
        'Send `dryRun: true` first. With `first`, the hub runs that many and waits for `continueRedrive` before ' +
        'it runs the others.',
      headers: IdempotencyHeaders,
      body: RedriveBody,
      response: { 200: Type.Ref(RedrivePlan), 202: Type.Ref(RedriveStarted) }
    }
  }, async (request, reply) => {
    const { body: { dryRun, ...body }, operationId, id: requestId } = request
    if (dryRun) return redrives.plan(body.filter)
    const started = await redrives.start(body, { operationId, requestId })
    return reply.code(202).header('location', `/redrives/${started.id}`).send(started)
  })

  app.post('/jobs/cancel', {
    config: { scope: 'operate', idempotent: true, dryRuns: true },
    schema: {
      tags,
      operationId: 'cancelDeadJobs',
      summary: 'Cancel all dead jobs that meet a filter',
      description: 'For jobs that cannot succeed any more. They leave the lists of dead jobs and need nobody then; ' +
        '`retryJob` can still run one again. Send `dryRun: true` first.',
      headers: IdempotencyHeaders,
      body: CancelDeadBody,
      response: { 200: Type.Ref(CancelDeadResult) }
    }
  }, async ({ body, operationId }) => redrives.cancelDead(body, operationId))

  app.get('/redrives', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listRedrives',
      summary: 'List redrives, newest first',
      description: 'A redrive is the repetition of many dead jobs.',
      querystring: RedriveQuery,
      response: { 200: Type.Array(Type.Ref(RedriveView)) }
    }
  }, async (request, reply) => {
    const { limit, cursor } = request.query
    const found = await redrives.list({ limit, after: cursor === undefined ? undefined : decodeCursor(cursor) })
    linkNextPage(request, reply, found.map(({ id, startedAt }) => ({ id, createdAt: startedAt })), limit)
    return found
  })

  app.get('/redrives/:id', {
    config: { scope: 'read', problems: ['LNK_REDRIVE_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readRedrive',
      summary: 'Read how far a redrive is',
      description: 'Counts the jobs that ran, died again or were skipped, with the reasons.',
      params: Params,
      response: { 200: Type.Ref(RedriveView) }
    }
  }, async ({ params: { id } }) => redrives.get(id))

  app.post('/redrives/:id/continue', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: ['LNK_REDRIVE_NOT_FOUND', 'LNK_REDRIVE_ENDED', 'LNK_REDRIVE_TRYING']
    },
    schema: {
      tags,
      operationId: 'continueRedrive',
      summary: 'Run the other jobs of a redrive, too, after its first ones have ended',
      description: 'Refused until all of the first jobs have ended.',
      headers: IdempotencyHeaders,
      params: Params,
      response: { 200: Type.Ref(RedriveView) }
    }
  }, async ({ params: { id } }) => {
    await redrives.resume(id)
    return redrives.get(id)
  })

  app.post('/redrives/:id/stop', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: ['LNK_REDRIVE_NOT_FOUND', 'LNK_REDRIVE_ENDED']
    },
    schema: {
      tags,
      operationId: 'stopRedrive',
      summary: 'Run no more jobs of a redrive; those that it has run again go on',
      description: 'Another redrive takes the jobs that are left.',
      headers: IdempotencyHeaders,
      params: Params,
      response: { 200: Type.Ref(RedriveView) }
    }
  }, async ({ params: { id } }) => {
    await redrives.stop(id)
    return redrives.get(id)
  })
}

export default routes
