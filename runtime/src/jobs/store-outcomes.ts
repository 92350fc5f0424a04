import type { Transaction } from '../database/database.ts'
import type { JobRequest } from './job.ts'
import type { JobOutcome } from './running-job.ts'

/** Stores the effects of jobs, each shared kind at once. Returns the jobs that follow. */
export async function storeOutcomes (
  transaction: Transaction,
  outcomes: readonly JobOutcome[]
): Promise<JobRequest[]> {
  const requests = outcomes.flatMap(({ followUps = [] }) => followUps)
  for (const { effects } of outcomes) requests.push(...await effects?.(transaction) ?? [])
  const shared = outcomes.flatMap(({ shared }) => shared ?? [])
  for (const [storeAll, ofKind] of Map.groupBy(shared, ({ storeAll }) => storeAll)) {
    requests.push(...await storeAll(transaction, ofKind))
  }
  return requests
}
