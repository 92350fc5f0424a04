import type { ShownJob } from '../jobs/show-jobs.ts'
import type { Progress } from '../terminal/progress.ts'
import type { HubClient } from './hub-client.ts'

const eachWaitSeconds = 2
const longestWaitMs = 60_000

/**
 * Waits for the end of a job and tells when its state changes. A job that waits for something, such
 * as the end of a pause, is returned as it is: the wait may take days.
 */
export async function followJob (hub: Pick<HubClient, 'call'>, id: string, progress: Progress): Promise<ShownJob> {
  const end = Date.now() + longestWaitMs
  let said = ''
  while (true) {
    const job = await hub.call('GET', `/jobs/${id}?wait=${eachWaitSeconds}`) as ShownJob
    if (job.finishedAt !== null || isHeld(job, end) || Date.now() > end) return job
    if (job.status !== said) progress(`Job ${id} is ${job.status}`)
    said = job.status
  }
}

/** Whether the job waits for something that ends later than `end`, or at a time nobody knows. */
function isHeld ({ status, waitsFor }: ShownJob, end: number): boolean {
  return status === 'waiting' && (waitsFor?.until === undefined || Date.parse(waitsFor.until) > end)
}
