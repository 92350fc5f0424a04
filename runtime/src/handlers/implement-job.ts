import { RejectedError } from '@linker/sdk'
import { invalidPayload } from '@linker/sdk/host'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JobDefinition } from '../jobs/define-job.ts'
import type { DeathEffects, JobOutcome, RetryEffects } from '../jobs/running-job.ts'
import type { CoreHandler, HandlerServices } from './call-adapter.ts'
import type { HandledJob } from './kept-effects.ts'

/** A job whose payload fits the schema of its type. */
export interface PayloadJob<Payload = unknown> extends HandledJob {
  payload: Payload & HandledJob['payload']
}

/** A checked job that has a connection. */
export interface CheckedJob<Payload = unknown> extends PayloadJob<Payload> {
  connectionId: string
}

/** A job type of the core, and the code that runs it. */
export interface Implementation {
  definition: JobDefinition
  run: CoreHandler
  /** Writes the consequences of the job's death. */
  onDeath?: DeathEffects | undefined
  /** Takes back these consequences when an operator runs the job again. */
  onRetry?: RetryEffects | undefined
}

/**
 * Implements a job type. Checks each job before it runs, because anybody may write payloads to a
 * stream. Throws `RejectedError` for a job that can never run: it is dead at once.
 */
export function implementJob<Payload extends TSchema> (
  definition: JobDefinition<Payload>,
  run: (job: CheckedJob<Static<Payload>>, services: HandlerServices) => Promise<JobOutcome>,
  onDeath?: DeathEffects
): Implementation {
  return implementHubJob(
    definition,
    async (job, services) => run({ ...job, connectionId: requireConnection(job) }, services),
    onDeath
  )
}

/**
 * Like `implementJob`, but for a job type that needs no connection, because the hub may run it for
 * itself.
 */
export function implementHubJob<Payload extends TSchema> (
  definition: JobDefinition<Payload>,
  run: (job: PayloadJob<Static<Payload>>, services: HandlerServices) => Promise<JobOutcome>,
  onDeath?: DeathEffects
): Implementation {
  return {
    definition: definition as JobDefinition,
    onDeath,
    run: async (job, services) => run({ ...job, payload: parsePayload(definition, job.payload) }, services)
  }
}

/** Throws `RejectedError` with a pointer for each problem of the payload. */
function parsePayload<Payload extends TSchema> (
  { type, payload: schema }: JobDefinition<Payload>,
  payload: HandledJob['payload']
): Static<Payload> & HandledJob['payload'] {
  // Looking for errors takes longer than finding that there are none.
  if (Value.Check(schema, payload)) return payload as Static<Payload> & HandledJob['payload']
  const fields = [...Value.Errors(schema, payload)].map(error => ({
    pointer: `/payload${error.path}`,
    code: 'invalid',
    message: error.message
  }))
  throw invalidPayload(type, fields)
}

/** The connection of a job. Throws `RejectedError` when the job has none. */
export function requireConnection ({ jobType, connectionId }: HandledJob): string {
  if (connectionId === null) throw new RejectedError(`${jobType} needs a connection`)
  return connectionId
}
