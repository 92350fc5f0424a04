import type { Schemas } from '@linker/client'

export type JobGroup = Schemas['JobGroups']['groups'][number]
export type GroupedStatus = 'dead' | 'waiting'

/** The members of a filter that name the jobs of a group. */
export interface GroupFilter {
  connectionId?: string
  jobType: string
  code?: string
}

export function filterOfGroup ({ connectionId, jobType, code }: Pick<
  JobGroup,
  'connectionId' | 'jobType' | 'code'
>): GroupFilter {
  return {
    ...(connectionId === null ? {} : { connectionId }),
    jobType,
    ...(code === null ? {} : { code })
  }
}

/** The groups that a filter of the list meets, as far as groups tell. */
export function groupsWithin (
  groups: readonly JobGroup[],
  { connectionId, jobType, code }: { connectionId?: string, jobType?: string, code?: string }
): readonly JobGroup[] {
  return groups.filter(group =>
    (connectionId === undefined || group.connectionId === connectionId) &&
    (jobType === undefined || group.jobType === jobType) &&
    (code === undefined || group.code === code)
  )
}

const groupMembers: readonly string[] = ['status', 'connectionId', 'jobType', 'code']

/** Whether groups can meet a filter of the list: they know no objects, requests and times. */
export function isAboutGroups (filter: Readonly<Record<string, string>>): boolean {
  return Object.keys(filter).every(name => groupMembers.includes(name))
}

/** Why the jobs of a group are dead or wait. Only a failure has a code that tells more. */
export function reasonOfGroup ({ reason, code }: Pick<JobGroup, 'reason' | 'code'>): string {
  if (reason === null) return code ?? 'no code'
  return reason === 'retry' && code !== null ? `retry: ${code}` : reason
}

/** How many jobs the groups have together. */
export function countIn (groups: readonly JobGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0)
}
