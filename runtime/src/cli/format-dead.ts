import type { RedrivePlan, SkipReason } from '../jobs/redrive/schemas.ts'
import { formatTable } from '../terminal/table.ts'
import { readConnectionNames } from './connection-name.ts'
import type { HubClient } from './hub-client.ts'

const skipTexts: Readonly<Record<SkipReason, string>> = {
  'not-dead': 'not dead any more, or retried by somebody else since',
  'does-not-match': 'named, but the other options do not fit',
  'job-not-found': 'the hub has no such job any more',
  'connection-deleted': 'the connection is deleted',
  'connection-disabled': 'the connection is disabled',
  'type-unknown': 'no adapter has a handler for the type',
  'retry-failed': 'the hub failed to run them again; its log shows the reason'
}

/** A line for each reason for which jobs are left out. */
export function describeSkipped (skipped: RedrivePlan['skipped']): string[] {
  return skipped.map(({ reason, count }) => `${count} skipped: ${skipTexts[reason]}`)
}

/** Tables of dead jobs: their groups, and the ones that come first. */
export async function formatDead (
  hub: HubClient,
  { byGroup, sample }: Pick<RedrivePlan, 'byGroup' | 'sample'>
): Promise<string[]> {
  if (byGroup.length === 0) return []
  const names = await readConnectionNames(hub)
  const nameOf = (id: string | null): string => id === null ? '' : names.get(id) ?? id
  const groups = byGroup.map(({ count, connectionId, jobType, code }) => [
    String(count),
    nameOf(connectionId),
    jobType,
    code ?? ''
  ])
  const first = sample.map(({ id, jobType, connectionId, createdAt, problem }) => [
    id,
    jobType,
    nameOf(connectionId),
    createdAt,
    problem === null ? '' : `${problem.code}: ${problem.message}`
  ])
  return [
    formatTable(['jobs', 'connection', 'type', 'code'], groups),
    formatTable(['first', 'type', 'connection', 'made', 'reason'], first)
  ]
}
