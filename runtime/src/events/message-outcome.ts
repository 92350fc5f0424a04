import type { Entry } from '../streams/port.ts'

/**
 * The outcome of one entry. `settled`: the handler acknowledged it in the same step as its work.
 * `failed` with an infrastructure error: the consumer tries the entry again in place. `failed` with
 * any other error: the entry stays pending, and the stream delivers it again.
 */
export type MessageOutcome = { kind: 'settled' } | { kind: 'acknowledge' } | { kind: 'malformed', reason: string } | {
  kind: 'failed',
  error: unknown
}

/**
 * Returns one verdict per entry, in order. The consumer may call the handler again with entries
 * that it has handled already, so the work must not double.
 */
export type BatchHandler = (entries: readonly Entry[]) => Promise<readonly MessageOutcome[]>
