import type { Query } from '../../database/database.ts'
import type { GroupedStatus, JobGroup, CountedGroups } from './schemas.ts'
import {
  selectDeadGroups,
  selectLeftGroups,
  selectLeftGroupsOf,
  selectSamples,
  selectWaitingGroups
} from './statements.ts'

// Counting more would take longer than a person waits for a page.
const mostCounted = 10_000

const statements: Readonly<Record<GroupedStatus, string>> = {
  dead: selectDeadGroups,
  waiting: selectWaitingGroups
}

/** Counts dead or waiting jobs by connection, type and problem, up to a limit. */
export async function readGroups (query: Query, status: GroupedStatus, limit = mostCounted): Promise<CountedGroups> {
  return groupsOf(await query<GroupRow>(statements[status], [limit]))
}

/**
 * Counts the dead jobs that still have to be done, up to a limit. A dead command is left out when a
 * later job of the same type, object and payload succeeded.
 */
export async function readLeftGroups (query: Query, limit = mostCounted): Promise<CountedGroups> {
  return groupsOf(await query<GroupRow>(selectLeftGroups, [limit]))
}

/** Counts those of a connection that were made in the last days. */
export async function readLeftGroupsOf (
  query: Query,
  connectionId: string,
  days: number,
  limit = mostCounted
): Promise<CountedGroups> {
  return groupsOf(await query<GroupRow>(selectLeftGroupsOf, [limit, connectionId, days]))
}

/** A dead job: why it died, and the objects that its payload names. */
export interface DeadSample {
  id: string
  connectionId: string | null
  jobType: string
  message: string | null
  offerId: string | null
  orderId: string | null
  externalId: string | null
}

export async function readSamples (query: Query, ids: readonly string[]): Promise<DeadSample[]> {
  return ids.length === 0 ? [] : query<DeadSample>(selectSamples, [ids])
}

type GroupRow = JobGroup & { hasMore: boolean }

function groupsOf (rows: readonly GroupRow[]): CountedGroups {
  return {
    groups: rows.map(({ hasMore: _hasMore, ...group }) => group),
    atMost: rows.some(({ hasMore }) => hasMore)
  }
}
