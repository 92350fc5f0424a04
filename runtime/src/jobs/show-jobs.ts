import type { Query } from '../database/database.ts'
import type { Attempt, JobRecord } from './job.ts'
import { HubErrorCode } from './retry-policy.ts'
import type { WaitsFor } from './schemas.ts'
import { explainWait, type ConnectionState, type Wait } from './waits/explain-wait.ts'
import { readWaits } from './waits/store.ts'

/** Takes the secrets of a connection out of a value. */
export type Redact = (value: unknown) => unknown

/** A job as the API shows it, without the secrets of its connection. */
export interface ShownJob extends JobRecord {
  /** Why it does not run yet. Null: it runs or has ended. */
  waitsFor: WaitsFor | null
}

/** Returns the function that redacts what belongs to a connection, or to none. */
export type RedactorOf = (connectionId: string | null) => Redact

/** Returns why jobs do not run yet, by their ids, without the secrets of their connections. */
export type WaitsOf = (
  records: readonly Waiting[],
  redactorOf: RedactorOf
) => Promise<ReadonlyMap<string, WaitsFor>>

type Waiting = Pick<JobRecord, 'id' | 'status' | 'connectionId'>

export interface ShowOptions {
  query: Query
  redactorsOf(connectionIds: readonly (string | null)[]): Promise<RedactorOf>
  /** Returns the states of these connections. One that is gone is left out. */
  connectionStates(ids: readonly string[]): Promise<readonly (ConnectionState & { id: string })[]>
}

/** It explains all jobs at once: many cost as many statements as one. */
export function createWaitsOf ({ query, connectionStates }: Omit<ShowOptions, 'redactorsOf'>): WaitsOf {
  /** Reads the connections that do not work and keep some of the jobs waiting. */
  async function statesOf (
    records: readonly Waiting[],
    waits: ReadonlyMap<string, Wait>
  ): Promise<ReadonlyMap<string, ConnectionState>> {
    const held = records.filter(({ id }) => (waits.get(id)?.holds.length ?? 0) > 0)
    const ids = [...new Set(held.flatMap(({ connectionId }) => connectionId ?? []))]
    const states = ids.length === 0 ? [] : await connectionStates(ids)
    return new Map(states.map(state => [state.id, state]))
  }

  return async (records, redactorOf) => {
    const waits = await readWaits(query, records)
    const states = await statesOf(records, waits)
    return new Map(records.flatMap(({ id, connectionId }) => {
      const wait = waits.get(id)
      const waitsFor = wait && explainWait(wait, states.get(connectionId ?? ''))
      return waitsFor ? [[id, redactDetail(waitsFor, redactorOf(connectionId))]] : []
    }))
  }
}

/**
 * Returns the function that completes records on their way out. It redacts keys and payloads,
 * because an adapter may have put a secret of its connection into them, and they are stored as they
 * are.
 */
export function createShow ({ redactorsOf, ...options }: ShowOptions) {
  const waitsOf = createWaitsOf(options)

  return async function show (records: readonly JobRecord[]): Promise<ShownJob[]> {
    const redactorOf = await redactorsOf(records.map(({ connectionId }) => connectionId))
    const waits = await waitsOf(records, redactorOf)
    return records.map(record => ({
      ...redactJob(record, redactorOf(record.connectionId)),
      waitsFor: waits.get(record.id) ?? null
    }))
  }
}

function redactDetail (waitsFor: WaitsFor, redact: Redact): WaitsFor {
  return { ...waitsFor, detail: String(redact(waitsFor.detail)) }
}

function redactJob (record: JobRecord, redact: Redact): JobRecord {
  const text = (value: string): string => String(redact(value))
  const { objectKey, idempotencyKey, payload, attempts, result, problem } = record
  return {
    ...record,
    objectKey: text(objectKey),
    idempotencyKey: text(idempotencyKey),
    payload: redact(payload) as JobRecord['payload'],
    result: redact(result),
    attempts: attempts.map(attempt => redactAttempt(attempt, text)),
    problem: redactProblem(problem, redact)
  }
}

function redactAttempt (attempt: Attempt, text: (value: string) => string): Attempt {
  const { error, calls } = attempt
  return {
    ...attempt,
    ...(error === undefined ? {} : { error: { ...error, message: text(error.message) } }),
    ...(calls === undefined ? {} : { calls: calls.map(call => ({ ...call, path: text(call.path) })) })
  }
}

/**
 * Redacts the texts of a problem. Its code stays, and so does the text about a deleted connection:
 * it is the hub's own.
 */
export function redactProblem (problem: JobRecord['problem'], redact: Redact): JobRecord['problem'] {
  if (problem === null) return null
  const { code, message, fields } = problem
  return {
    ...problem,
    message: code === HubErrorCode.connectionDeleted ? message : String(redact(message)),
    ...(fields === undefined ? {} : { fields: redact(fields) })
  }
}
