import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { InvalidRequestError } from '../errors.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { decodeCursor, linkNextPage } from '../http/paging.ts'
import { refusal } from '../http/refusal.ts'
import { Id } from '../http/schemas.ts'
import { toStorableTime } from '../http/storable-time.ts'
import { GroupedStatus, JobGroups } from './groups/schemas.ts'
import redriveRoutes from './redrive/routes.ts'
import { CancelBody, JobQuery, JobView } from './schemas.ts'

const longestWaitSeconds = 30

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(JobView)
  app.addSchema(JobGroups)
  const tags = ['jobs']
  await app.register(redriveRoutes)

  app.get('/jobs', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listJobs',
      summary: 'List jobs, newest first',
      description: 'Filter by status, type, connection, object or problem code. The calls to platforms are in ' +
        '`readJob`, and in the list of the jobs of a request that asks for `calls`.',
      querystring: JobQuery,
      response: { 200: Type.Array(Type.Ref(JobView)) }
    }
  }, async (request, reply) => {
    const { cursor, since, until, ...filter } = request.query
    if (filter.calls === true && filter.requestId === undefined) {
      throw refusal([{ pointer: '/calls', code: 'required', message: 'goes with requestId only' }], InvalidRequestError)
    }
    const found = await app.jobs.list({
      ...filter,
      since: since === undefined ? undefined : toStorableTime(since),
      until: until === undefined ? undefined : toStorableTime(until),
      after: cursor === undefined ? undefined : decodeCursor(cursor)
    })
    linkNextPage(request, reply, found, filter.limit)
    return found
  })

  app.get('/jobs/groups', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'countJobs',
      summary: 'Count dead or waiting jobs by connection, type and problem',
      description: 'Shows one line for each reason, for a look at many failures at once.',
      querystring: Type.Object({ status: GroupedStatus }, { additionalProperties: false }),
      response: { 200: Type.Ref(JobGroups) }
    }
  }, async ({ query: { status } }) => app.jobs.groups(status))

  app.get('/jobs/:id', {
    config: { scope: 'read', problems: ['LNK_JOB_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readJob',
      summary: 'Read a job; `wait` answers when it has ended',
      description: 'With `wait` the request stays open until the job has ended, at most that many seconds. Check ' +
        '`finishedAt`: it is null when the time was too short.',
      params: Type.Object({ id: Id }),
      querystring: Type.Object({
        wait: Type.Integer({ minimum: 0, maximum: longestWaitSeconds, default: 0, description: 'Seconds' })
      }, { additionalProperties: false }),
      response: { 200: Type.Ref(JobView) }
    }
  }, async ({ params, query, signal }) => {
    // A hub that stops answers with the job as it is: it would wait for this request before it
    // ends.
    const either = AbortSignal.any([signal, app.readiness.stopping])
    return app.jobs.get(params.id, query.wait * 1000, either)
  })

  app.post('/jobs/:id/retry', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: [
        'LNK_JOB_NOT_FOUND',
        'LNK_CONNECTION_NOT_FOUND',
        'LNK_JOB_QUEUED',
        'LNK_JOB_WAITING',
        'LNK_JOB_RUNNING',
        'LNK_JOB_SUCCEEDED',
        'LNK_JOB_TYPE_UNKNOWN'
      ]
    },
    schema: {
      tags,
      operationId: 'retryJob',
      summary: 'Run a dead or cancelled job again, with all its attempts',
      description: 'A job that is queued, runs or succeeded is refused with a code that says which.',
      headers: IdempotencyHeaders,
      params: Type.Object({ id: Id }),
      response: { 202: Type.Ref(JobView) }
    }
  }, async (request, reply) => {
    const { params: { id }, operationId, id: requestId, signal } = request
    await app.jobs.retry(id, { operationId, requestId })
    return reply.code(202).send(await app.jobs.get(id, 0, signal))
  })

  app.post('/jobs/:id/cancel', {
    config: {
      scope: 'operate',
      idempotent: true,
      allowsNoBody: true,
      problems: ['LNK_JOB_NOT_FOUND', 'LNK_JOB_SUCCEEDED', 'LNK_JOB_CANCELLED']
    },
    schema: {
      tags,
      operationId: 'cancelJob',
      summary: 'Cancel a job: 200 when it has ended, 202 when it is running and will be broken off',
      description: 'The platform may have carried out a request that was broken off. A dead job that nobody will run ' +
        'again ends as cancelled, too, so that it leaves the lists of dead jobs.',
      headers: IdempotencyHeaders,
      params: Type.Object({ id: Id }),
      body: CancelBody,
      response: { 200: Type.Ref(JobView), 202: Type.Ref(JobView) }
    }
  }, async (request, reply) => {
    const { params: { id }, body: { reason = null }, operationId, signal } = request
    await app.jobs.cancel(id, { reason, operationId })
    const job = await app.jobs.get(id, 0, signal)
    return reply.code(job.finishedAt === null ? 202 : 200).send(job)
  })
}

export default routes
