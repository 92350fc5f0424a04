import type { Query } from '../../database/database.ts'
import type { GroupedStatus, JobGroup, JobGroups } from './schemas.ts'
import { selectDeadGroups, selectWaitingGroups } from './statements.ts'

// Counting more would take longer than a person waits for a page.
const mostCounted = 10_000

const statements: Readonly<Record<GroupedStatus, string>> = {
  dead: selectDeadGroups,
  waiting: selectWaitingGroups
}

/** Counts dead or waiting jobs by connection, type and problem, up to a limit. */
export async function readGroups (query: Query, status: GroupedStatus, limit = mostCounted): Promise<JobGroups> {
  const rows = await query<JobGroup & { hasMore: boolean }>(statements[status], [limit])
  return {
    groups: rows.map(({ hasMore: _hasMore, ...group }) => group),
    atMost: rows.some(({ hasMore }) => hasMore)
  }
}
