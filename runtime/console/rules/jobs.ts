import type { Schemas } from '@linker/client'

type Job = Schemas['Job']
export type JobStatus = Job['status']

export const jobStatuses: readonly JobStatus[] = ['queued', 'waiting', 'running', 'succeeded', 'dead', 'cancelled']

/** Why a job does not run yet, or why it ended without success. */
export function reasonOf ({ waitsFor, problem }: Pick<Job, 'waitsFor' | 'problem'>): string {
  if (waitsFor !== null) return `${waitsFor.reason}: ${waitsFor.detail}`
  return problem === null ? '' : `${problem.code}: ${problem.message}`
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
