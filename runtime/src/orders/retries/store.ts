import type { Query } from '../../database/database.ts'
import type { RetryableStatus } from './reasons.ts'
import type { Candidate, Skipped } from './rules.ts'
import { countOthers, hasProblem, isBehind, selectCandidates } from './statements.ts'

/** Which orders to retry. Every member that is given narrows the choice. */
export interface RetryFilter {
  connectionId?: string | undefined
  status?: readonly RetryableStatus[] | undefined
  /** One of its problems has this code. */
  code?: string | undefined
  externalId?: string | undefined
  /** ISO 8601: the hub first read the order at this time or later. */
  since?: string | undefined
  /** ISO 8601: the hub first read the order before this time. */
  until?: string | undefined
}

/** The filter, and the order behind which the orders have to come. */
export interface CandidateFilter extends RetryFilter {
  after?: string | undefined
}

interface Choice {
  conditions: string[]
  values: unknown[]
}

function choiceOf ({ connectionId, status, code, externalId, since, until, after }: CandidateFilter): Choice {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    ...(connectionId === undefined ? [] : [`orders.connection_id = ${value(connectionId)}`]),
    ...(status === undefined ? [] : [`orders.status = any(${value(status)}::text[])`]),
    ...(code === undefined ? [] : [hasProblem(value(code))]),
    ...(externalId === undefined ? [] : [`orders.external_id = ${value(externalId)}`]),
    ...(since === undefined ? [] : [`orders.created_at >= ${value(since)}`]),
    ...(until === undefined ? [] : [`orders.created_at < ${value(until)}`]),
    ...(after === undefined ? [] : [isBehind(value(after))])
  ]
  return { conditions, values }
}

/** Returns at most `limit` orders that meet the filter and can be retried, the oldest first. */
export async function findCandidates (
  query: Query,
  filter: CandidateFilter,
  limit: number
): Promise<Candidate[]> {
  const { conditions, values } = choiceOf(filter)
  return query<Candidate>(selectCandidates(conditions, `$${values.length + 1}`), [...values, limit])
}

/**
 * Counts at most `limit` orders that meet the filter and cannot be retried, by their status. None
 * with a code and without an id: no index has the codes of problems, and these orders are nearly
 * all that there are.
 */
export async function countFinished (
  query: Query,
  filter: RetryFilter,
  limit: number
): Promise<{ finished: Skipped[], atMost: boolean }> {
  const { status, code, externalId } = filter
  if (status !== undefined || (code !== undefined && externalId === undefined)) return { finished: [], atMost: false }
  const { conditions, values } = choiceOf(filter)
  const statement = countOthers(conditions, `$${values.length + 1}`)
  const rows = await query<Skipped & { atMost: boolean }>(statement, [...values, limit])
  return {
    finished: rows.map(({ reason, count }) => ({ reason, count })),
    atMost: rows.some(({ atMost }) => atMost)
  }
}
