import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JobRequest } from '../jobs/job.ts'
import type { Fields } from '../streams/port.ts'
import { DateTime, isUuid, jobTypePattern, printable } from '../text-patterns.ts'
import { describeProblem, requestIdOf, type Malformed } from './message.ts'
import { parseObject } from './parse-object.ts'

const JobFields = Type.Object({
  jobType: Type.String({ pattern: jobTypePattern, maxLength: 100 }),
  connectionId: Type.String(),
  payloadJson: Type.String(),
  idempotencyKey: Type.String({ minLength: 1, maxLength: 500, pattern: printable }),
  createdAt: DateTime
})

/**
 * The five fields of a message on `jobs.sync`, in the order of the specification (section 2.6). A
 * job of the hub itself has no connection, so its `connectionId` is ''.
 */
export function toJobFields (job: JobRequest, createdAt: string): Fields {
  const { jobType, connectionId, payload, idempotencyKey, requestId } = job
  return {
    jobType,
    connectionId: connectionId ?? '',
    payloadJson: JSON.stringify(requestId === undefined ? payload : { ...payload, requestId }),
    idempotencyKey,
    createdAt
  }
}

/** Reads a message of `jobs.sync`. Anybody may write there, and every well-formed message runs. */
export function readJobFields (fields: Fields): JobRequest | Malformed {
  if (!Value.Check(JobFields, fields)) return describeProblem(JobFields, fields, '')
  const { jobType, connectionId, idempotencyKey } = fields
  if (connectionId !== '' && !isUuid(connectionId)) return { malformed: '/connectionId: neither a UUID nor empty' }
  if (!idempotencyKey.isWellFormed()) return { malformed: '/idempotencyKey: half of a surrogate pair' }
  const payload = parseObject(fields.payloadJson)
  if (payload === undefined) return { malformed: 'payloadJson: not a JSON object' }
  return {
    jobType,
    connectionId: connectionId === '' ? null : connectionId,
    payload,
    idempotencyKey,
    ...requestIdOf(payload.requestId)
  }
}
