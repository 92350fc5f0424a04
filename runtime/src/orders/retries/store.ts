import type { Query } from '../../database/database.ts'
import type { Candidate, RetryableStatus, Skipped } from './rules.ts'
import { countOthers, hasProblem, selectCandidates } from './statements.ts'

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

interface Choice {
  conditions: string[]
  values: unknown[]
}

function choiceOf ({ connectionId, status, code, externalId, since, until }: RetryFilter): Choice {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    ...(connectionId === undefined ? [] : [`orders.connection_id = ${value(connectionId)}`]),
    ...(status === undefined ? [] : [`orders.status = any(${value(status)}::text[])`]),
    ...(code === undefined ? [] : [hasProblem(value(code))]),
    ...(externalId === undefined ? [] : [`orders.external_id = ${value(externalId)}`]),
    ...(since === undefined ? [] : [`orders.created_at >= ${value(since)}`]),
    ...(until === undefined ? [] : [`orders.created_at < ${value(until)}`])
  ]
  return { conditions, values }
}

/** Returns at most `limit` orders that meet the filter and can be retried, the oldest first. */
export async function findCandidates (query: Query, filter: RetryFilter, limit: number): Promise<Candidate[]> {
  const { conditions, values } = choiceOf(filter)
  return query<Candidate>(selectCandidates(conditions, `$${values.length + 1}`), [...values, limit])
}

/** Counts at most `limit` orders that meet the filter and cannot be retried, by their status. */
export async function countFinished (query: Query, filter: RetryFilter, limit: number): Promise<Skipped[]> {
  if (filter.status !== undefined) return []
  const { conditions, values } = choiceOf(filter)
  return query<Skipped>(countOthers(conditions, `$${values.length + 1}`), [...values, limit])
}
