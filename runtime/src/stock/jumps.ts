import type { Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { propagationJobs } from './record-stock.ts'
import { confirmQuantities } from './store.ts'

/** The variants whose stock a person confirms: one, or all of a shop. */
export interface Confirmed {
  variantId?: string
  connectionId?: string
}

export interface Confirmation {
  confirmed: number
  jobs: JobRequest[]
}

/**
 * Lets the offers of variants follow their stock again after a jump. Returns how many variants
 * waited, and the jobs that write their offers.
 */
export async function confirmJumps (
  { query }: Pick<Transaction, 'query'>,
  of: Confirmed,
  requestId: string
): Promise<Confirmation> {
  const confirmed = await confirmQuantities(query, of)
  return {
    confirmed: confirmed.length,
    jobs: confirmed.flatMap(({ connectionId, ...version }) => propagationJobs(connectionId, [version], { requestId }))
  }
}
