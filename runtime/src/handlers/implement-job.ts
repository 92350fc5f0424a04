import { RejectedError } from '@linker/sdk'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JobDefinition } from '../jobs/define-job.ts'
import type { DeathEffects, JobOutcome } from '../jobs/running-job.ts'
import type { CoreHandler, HandlerServices } from './call-adapter.ts'
import type { HandledJob } from './kept-effects.ts'

/** A job of a known type: it has a connection, and its payload is as the type wants it. */
export interface CheckedJob<Payload = unknown> extends HandledJob {
  connectionId: string
  payload: Payload & HandledJob['payload']
}

/** A job type of the core, and the code that runs it. */
export interface Implementation {
  definition: JobDefinition
  run: CoreHandler
  /** Writes the consequences of the job's death. */
  onDeath?: DeathEffects | undefined
}

/**
 * Implements a job type. Checks each job before it runs, because a payload may come from a stream
 * that anybody can write to. Throws `RejectedError` for a job that can never run: it is dead at
 * once.
 */
export function implementJob<Payload extends TSchema> (
  definition: JobDefinition<Payload>,
  run: (job: CheckedJob<Static<Payload>>, services: HandlerServices) => Promise<JobOutcome>,
  onDeath?: DeathEffects
): Implementation {
  return {
    definition: definition as JobDefinition,
    onDeath,
    async run (job, services) {
      const payload = parsePayload(definition, job.payload)
      return run({ ...job, connectionId: requireConnection(job), payload }, services)
    }
  }
}

/** With a pointer per problem. */
function parsePayload<Payload extends TSchema> (
  { type, payload: schema }: JobDefinition<Payload>,
  payload: HandledJob['payload']
): Static<Payload> & HandledJob['payload'] {
  const fields = [...Value.Errors(schema, payload)].map(error => ({
    pointer: `/payload${error.path}`,
    code: 'invalid',
    message: error.message
  }))
  if (fields.length > 0) throw new RejectedError(`the payload of ${type} is invalid`, { fields })
  return payload as Static<Payload> & HandledJob['payload']
}

/** The connection of a job. Throws `RejectedError` when the job has none. */
export function requireConnection ({ jobType, connectionId }: HandledJob): string {
  if (connectionId === null) throw new RejectedError(`${jobType} needs a connection`)
  return connectionId
}
