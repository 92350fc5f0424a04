import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { SchemaProblem } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import type { LoadedAdapter } from '../adapters/load.ts'
import { nameObject } from '../audit/actor.ts'
import { InvalidRequestError } from '../errors.ts'
import { IdempotencyHeaders } from '../http/idempotency.ts'
import { refusal } from '../http/refusal.ts'
import { Id } from '../http/schemas.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { JobTypeName } from '../jobs/schemas.ts'
import { coreJobDefinitions, coreJobTypesFor, isCoreJobType } from './core-jobs.ts'
import { describePayloads } from './describe-payloads.ts'

const JobBody = Type.Object({
  jobType: JobTypeName,
  connectionId: Id,
  payload: Type
    .Optional(Type.Record(Type.String(), Type.Unknown(), { description: describePayloads(coreJobDefinitions) }))
}, { additionalProperties: false })

const routes: FastifyPluginAsyncTypebox = async app => {
  app.post('/jobs', {
    config: {
      scope: 'operate',
      idempotent: true,
      problems: ['LNK_CONNECTION_NOT_FOUND', 'LNK_CONNECTION_DISABLED', 'LNK_ADAPTER_MISSING']
    },
    schema: {
      tags: ['jobs'],
      operationId: 'runJob',
      summary: 'Run a job now',
      description: 'Use it to read one object of a platform again. The payload depends on the type of the job.',
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
    nameObject({ connectionId })
    const idempotencyKey = `api:jobs:${connectionId}:${request.operationId}`
    await app.jobs.enqueueJobs([{ jobType, connectionId, payload, idempotencyKey, requestId: request.id }])
    return reply.code(202).send({ jobId: jobIdOf(idempotencyKey) })
  })
}

/**
 * Takes a core job type whose capability the connection lacks: its job reports the reason. The
 * error text names only job types that can run there.
 */
function findUnknownType (jobType: string, adapter: LoadedAdapter, capabilities: readonly string[]): SchemaProblem[] {
  const own = Object.keys(adapter.description.jobs)
  if (isCoreJobType(jobType) || own.includes(jobType)) return []
  return [{
    pointer: '/jobType',
    code: 'enum',
    message: `'${jobType}' does not run on this connection; these do: ${
      [...coreJobTypesFor(capabilities), ...own].join(', ')
    }`
  }]
}

export default routes
