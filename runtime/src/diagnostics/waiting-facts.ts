import type { WaitingGroup, WaitingJobs } from '../jobs/activity/store.ts'
import type { WaitsFor } from '../jobs/schemas.ts'
import { explainWait, type ConnectionState } from '../jobs/waits/explain-wait.ts'
import type { WaitingFact } from './facts.ts'

/** Says of each group of waiting jobs why it waits, in the words of a single job. */
export function describeWaiting (
  { groups, holds }: Pick<WaitingJobs, 'groups' | 'holds'>,
  connection: ConnectionState,
  redact: (text: string) => string
): WaitingFact[] {
  return groups.map(group => {
    const { jobType, code, count, oldestAt, sampleJobId, isDue, dueAt, lastDueAt } = group
    const { reason, detail, until } = explainGroup(group, holds, connection)
    const isReady = reason === 'turn' && isDue && dueAt !== null
    return {
      reason,
      detail: redact(detail),
      jobType,
      code,
      count,
      oldestAt,
      sampleJobId,
      ...(until === undefined ? {} : { until }),
      ...(isReady ? { readySince: dueAt } : {}),
      ...(isDue || lastDueAt === null ? {} : { lastUntil: lastDueAt })
    }
  })
}

function explainGroup (group: WaitingGroup, holds: WaitingJobs['holds'], connection: ConnectionState): WaitsFor {
  if (holds.length === 0 && group.isBehind) {
    return { reason: 'object', detail: 'another job of the same object comes first' }
  }
  return explainWait({ ...group, holds, ahead: null }, connection)
}
