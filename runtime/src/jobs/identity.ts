import { isStorableText } from '@linker/sdk/host/text'
import { hash } from 'node:crypto'
import { parse, v5 } from 'uuid'
import type { JobRequest, JobType } from './job.ts'

// Kept as bytes: the library would convert a text at every call, which doubles its time for every
// webhook.
const jobNamespace = parse('6f0f3c1e-6c0e-5b43-9a55-6b1c1c6f2a11')
const longestKeyLength = 500

/** The connection of jobs that are for the hub itself, where a connection id is needed. */
export const hubGroup = '00000000-0000-0000-0000-000000000000'

/**
 * Id of the job with this idempotency key: the same for every repeat, on every process. It is a
 * UUID of version 5 (RFC 9562, section 5.5). The library takes three times as long to make it,
 * which every webhook would pay.
 */
export function jobIdOf (idempotencyKey: string): string {
  const digest = hash('sha1', Buffer.concat([jobNamespace, Buffer.from(idempotencyKey)]))
  const variant = '89ab'.charAt(parseInt(digest.charAt(16), 16) & 3)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-` +
    `${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

/**
 * Names the object that only one run may work on at a time. In the state lane the name includes the
 * job type: a waiting job stands for a later one of the same key, and reading the stock of a
 * product must not stand for reading its name. Commands of all types on one object share one order.
 */
export function exclusionKeyOf (type: JobType, request: JobRequest): string {
  const key = type.lane === 'state' ? `${request.jobType}|${type.objectKey(request)}` : type.objectKey(request)
  // PostgreSQL refuses index entries above 2 704 bytes; the ids of platforms may be longer.
  return key.length > longestKeyLength || !isStorableText(key)
    ? v5(Buffer.from(JSON.stringify(key)), jobNamespace)
    : key
}
