import type { JobStatus } from './job.ts'
import { HubErrorCode, JobProblemCode } from './retry-policy.ts'
import { codeCondition, hasCode, isCancelled, objectCondition, statusConditions } from './statements.ts'

/** Which jobs an operator means. The members that are left out do not matter. */
export interface JobConditions {
  connectionId?: string | undefined
  jobType?: string | undefined
  /** A filter by status leaves out coalesced jobs and finds the job that stands for them. */
  status?: JobStatus | undefined
  requestId?: string | undefined
  /** The code of the problem. */
  code?: string | undefined
  /** About one of these objects. */
  objectKeys?: readonly string[] | undefined
  /** ISO 8601: made at this time or later. */
  since?: string | undefined
  /** ISO 8601: made before this time. */
  until?: string | undefined
}

/** Adds a value to a statement, and returns the placeholder that stands for it. */
export type AddValue = (value: unknown) => string

/** SQL: the conditions on a row of `jobs`. A job has to meet all of them. */
export function conditionsOf (
  { connectionId, jobType, status, requestId, code, objectKeys, since, until }: JobConditions,
  value: AddValue
): string[] {
  return [
    ...(connectionId === undefined ? [] : [`jobs.connection_id = ${value(connectionId)}`]),
    ...(jobType === undefined ? [] : [`jobs.job_type = ${value(jobType)}`]),
    ...(status === undefined ? [] : [`(${statusConditions[status]})`]),
    ...(requestId === undefined ? [] : [`jobs.request_id = ${value(requestId)}`]),
    ...(code === undefined ? [] : [`(${ofCode(code, value)})`]),
    ...(objectKeys === undefined ? [] : [`(${objectCondition(value(objectKeys))})`]),
    ...(since === undefined ? [] : [`jobs.created_at >= ${value(since)}`]),
    ...(until === undefined ? [] : [`jobs.created_at < ${value(until)}`])
  ]
}

/** Only jobs that ended as cancelled have these codes. */
const codesOfCancelled: ReadonlySet<string> = new Set([JobProblemCode.cancelled, HubErrorCode.connectionDeleted])

function ofCode (code: string, value: AddValue): string {
  return codesOfCancelled.has(code)
    ? `${isCancelled} and ${hasCode(value(code))}`
    : codeCondition(value(code))
}
