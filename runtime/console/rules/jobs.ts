import type { Schemas } from '@linker/client'

type Job = Schemas['Job']
export type JobStatus = Job['status']

export const jobStatuses: readonly JobStatus[] = ['queued', 'waiting', 'running', 'succeeded', 'dead', 'cancelled']

/** Why a job does not run yet, or why it ended without success. */
export function reasonOf ({ waitsFor, problem }: Pick<Job, 'waitsFor' | 'problem'>): string {
  if (waitsFor !== null) return `${waitsFor.reason}: ${waitsFor.detail}`
  return problem === null ? '' : `${problem.code}: ${problem.message}`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const members = ['externalId', 'offerId', 'orderId', 'variantId'] as const

/**
 * The object that a job is about, in few words: its id in the payload, else the end of its object
 * key, which begins with the job type and the connection. Only the beginning of an id of the hub.
 */
export function objectOf ({ payload, objectKey, connectionId }: Pick<
  Job,
  'payload' | 'objectKey' | 'connectionId'
>): string {
  const values: Readonly<Record<string, unknown>> = payload
  const named = members.map(member => values[member]).find(value => typeof value === 'string')
  const id = String(named ?? objectKey.split(/[|:]/).at(-1))
  // A job about a connection as a whole names only that.
  if (id === connectionId) return ''
  return uuid.test(id) ? id.slice(0, 8) : id
}

export function canRetry (status: JobStatus): boolean {
  return status === 'dead' || status === 'cancelled'
}

export function canCancel (status: JobStatus): boolean {
  return status !== 'succeeded' && status !== 'cancelled'
}

/** Cancelling a dead job breaks nothing off: it says that nobody will run it again. */
export function nameOfCancel (status: JobStatus): string {
  return status === 'dead' ? 'Give up' : 'Cancel'
}

/** The job that an operator sees: for a coalesced one, the job that runs in its place. */
export function standInOf ({ id, coalescedInto }: Pick<Job, 'id' | 'coalescedInto'>): string {
  return coalescedInto ?? id
}

/** How long the attempts of a job took together, in ms. */
export function workedMs ({ attempts }: Pick<Job, 'attempts'>): number {
  return attempts.reduce((sum, { startedAt, finishedAt }) => sum + lengthMs(startedAt, finishedAt), 0)
}

export function lengthMs (from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from))
}

/** The id of the delivery that started a job: the hub gives both the same id. */
export function deliveryOf ({ id, idempotencyKey }: Pick<Job, 'id' | 'idempotencyKey'>): string | undefined {
  return idempotencyKey.startsWith('webhook:') ? id : undefined
}
