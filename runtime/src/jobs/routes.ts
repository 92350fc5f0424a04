import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { LoadedAdapter } from '../adapters/load.ts'
import { Id } from '../connections/schemas.ts'
import { refusal } from '../connections/validate.ts'
import { InvalidRequestError } from '../errors.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import type { SchemaProblem } from '@linker/sdk/host'
import { decodeCursor, linkNextPage } from '../http/paging.ts'
import { toStorableTime } from '../http/storable-time.ts'
import { coreJobTypes, coreJobTypesFor } from '../handlers/core-handlers.ts'
import { jobIdOf } from './identity.ts'
import { JobBody, JobQuery, JobView } from './schemas.ts'

const longestWaitSeconds = 30

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(JobView)
  const admin = { scope: 'admin' as const }
  const tags = ['jobs']

  app.get('/jobs', {
    config: admin,
    schema: {
      tags,
      summary: 'List jobs, newest first',
      querystring: JobQuery,
      response: { 200: Type.Array(Type.Ref(JobView)) }
    }
  }, async (request, reply) => {
    const { cursor, since, ...filter } = request.query
    const found = await app.jobs.list({
      ...filter,
      ...(since === undefined ? {} : { since: toStorableTime(since) }),
      ...(cursor === undefined ? {} : { after: decodeCursor(cursor) })
    })
    linkNextPage(request, reply, found, filter.limit)
    return found
  })

  app.get('/jobs/:id', {
    config: admin,
    schema: {
      tags,
      summary: 'Read a job; `wait` answers when it has ended',
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

  app.post('/jobs', {
    config: { ...admin, idempotent: true },
    schema: {
      tags,
      summary: 'Run a job now',
      headers: IdempotencyHeaders,
      body: JobBody,
      response: { 202: Type.Object({ jobId: Id }) }
    }
  }, async (request, reply) => {
    const { jobType, connectionId, payload = {} } = request.body
    const { adapterKey, adapterVersion, capabilities } = await app.connections.getEnabled(connectionId)
    const adapter = app.adapters.registry.resolve(adapterKey, adapterVersion)
    const problems = findUnknownType(jobType, adapter, capabilities)
    if (problems.length > 0) throw refusal(problems, InvalidRequestError)
    const idempotencyKey = `api:jobs:${connectionId}:${request.operationId}`
    await app.jobs.enqueueJobs([{ jobType, connectionId, payload, idempotencyKey, requestId: request.id }])
    return reply.code(202).send({ jobId: jobIdOf(idempotencyKey) })
  })
}

/**
 * One of the core whose capability the connection lacks is taken: its job says so. It is not named
 * among those that run there.
 */
function findUnknownType (jobType: string, adapter: LoadedAdapter, capabilities: readonly string[]): SchemaProblem[] {
  const own = Object.keys(adapter.description.jobs)
  if (coreJobTypes.includes(jobType) || own.includes(jobType)) return []
  return [{
    pointer: '/jobType',
    code: 'enum',
    message: `'${jobType}' does not run on this connection; these do: ${
      [...coreJobTypesFor(capabilities), ...own].join(', ')
    }`
  }]
}

export default routes
