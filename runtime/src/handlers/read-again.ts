import { RejectedError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { CoreHandler } from './call-adapter.ts'
import { ExternalObject, parsePayload } from './payload.ts'

const Payload = Type.Composite([
  ExternalObject,
  Type.Object({ jobType: Type.String({ minLength: 1, maxLength: 100 }) })
])

/**
 * `inventory.readAgain`: makes the job that reads the object, at its time. It does not read itself,
 * because only the other job excludes jobs on the same object.
 */
export const readAgain: CoreHandler = async job => {
  const { jobType, externalId } = parsePayload(Payload, job.jobType, job.payload)
  if (job.connectionId === null) throw new RejectedError(`${job.jobType} needs a connection`)
  return {
    followUps: [{ jobType, connectionId: job.connectionId, payload: { externalId }, idempotencyKey: `due:${job.id}` }]
  }
}
