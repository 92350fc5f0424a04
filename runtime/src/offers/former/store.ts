import { randomUUID } from 'node:crypto'
import type { Query } from '../../database/database.ts'
import { removeInSteps } from '../../database/remove-in-steps.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { quantityJobs } from '../quantity-jobs.ts'
import { insertLinked } from '../unlinked/insert-linked.ts'
import { forgetRelease } from '../unlinked/store.ts'
import { deleteOldLinks, takeLinks } from './statements.ts'

const linksOfStep = 1_000
/** How long the links of a deleted connection wait for the next one to its account. */
const keptDays = 90

interface FormerLink {
  externalId: string
  variantId: string
  buffer: number
  maxListed: number | null
}

/**
 * Links the offers of a connection as a deleted connection to the same account had linked them.
 * Returns how many, and the jobs that write their quantities.
 */
export async function takeOverLinks (
  query: Query,
  fromId: string,
  connectionId: string
): Promise<{ count: number, jobs: JobRequest[] }> {
  const offerIds: string[] = []
  while (true) {
    const links = await query<FormerLink>(takeLinks, [fromId, linksOfStep])
    if (links.length === 0) break
    offerIds.push(...await insertLinked(query, connectionId, links.map(link => ({ ...link, id: randomUUID() }))))
    await forgetRelease(query, connectionId, links.map(({ externalId }) => externalId))
  }
  return { count: offerIds.length, jobs: await quantityJobs(query, { offerIds }) }
}

/** Removes links that nobody has taken over in time. */
export async function removeOldLinks (query: Query, signal: AbortSignal): Promise<void> {
  await removeInSteps(query, deleteOldLinks, signal, { values: [keptDays] })
}
