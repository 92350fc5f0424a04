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

export interface ShowOptions {
  query: Query
  /** Returns the function that redacts what belongs to a connection, or to none. */
  redactorsOf(connectionIds: readonly (string | null)[]): Promise<(connectionId: string | null) => Redact>
  /** Returns the states of these connections. One that is gone is left out. */
  connectionStates(ids: readonly string[]): Promise<readonly (ConnectionState & { id: string })[]>
}

/**
 * Returns the function that completes records on their way out. It redacts keys and payloads,
 * because an adapter may have put a secret of its connection into them, and they are stored as they
 * are. It says of all waiting jobs at once why they wait.
 */
export function createShow ({ query, redactorsOf, connectionStates }: ShowOptions) {
  /** Reads the connections that do not work and keep some of the jobs waiting. */
  async function statesOf (
    records: readonly JobRecord[],
    waits: ReadonlyMap<string, Wait>
  ): Promise<ReadonlyMap<string, ConnectionState>> {
    const held = records.filter(({ id }) => (waits.get(id)?.holds.length ?? 0) > 0)
    const ids = [...new Set(held.flatMap(({ connectionId }) => connectionId ?? []))]
    const states = ids.length === 0 ? [] : await connectionStates(ids)
    return new Map(states.map(state => [state.id, state]))
  }

  return async function show (records: readonly JobRecord[]): Promise<ShownJob[]> {
    const redactorOf = await redactorsOf(records.map(({ connectionId }) => connectionId))
    const waits = await readWaits(query, records)
    const states = await statesOf(records, waits)
    return records.map(record => {
      const redact = redactorOf(record.connectionId)
      const wait = waits.get(record.id)
      const waitsFor = wait === undefined ? null : explainWait(wait, states.get(record.connectionId ?? ''))
      return { ...redactJob(record, redact), waitsFor: waitsFor && redactDetail(waitsFor, redact) }
    })
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
