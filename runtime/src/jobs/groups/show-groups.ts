import type { Query } from '../../database/database.ts'
import type { WaitsOf } from '../show-jobs.ts'
import type { GroupedStatus, JobGroup, JobGroups } from './schemas.ts'
import { readGroups } from './store.ts'

/** Counts dead or waiting jobs in groups, and says why the sample of each waits. */
export function createShowGroups ({ query, waitsOf }: { query: Query, waitsOf: WaitsOf }) {
  async function waitsOfSamples (groups: readonly JobGroup[]): ReturnType<WaitsOf> {
    const samples = groups.map(({ sampleJobId, connectionId }) => ({
      id: sampleJobId,
      status: 'waiting' as const,
      connectionId
    }))
    // Only the reason is shown, which has no secrets.
    return waitsOf(samples, () => value => value)
  }

  return async function showGroups (status: GroupedStatus): Promise<JobGroups> {
    const { groups, atMost } = await readGroups(query, status)
    const waits = status === 'dead' ? undefined : await waitsOfSamples(groups)
    return {
      groups: groups.map(group => ({ ...group, reason: waits?.get(group.sampleJobId)?.reason ?? null })),
      atMost
    }
  }
}
