import type { Enqueued, JobRequest } from '../jobs/job.ts'
import { jobsGroup, jobsStream, type Entry, type StreamPort } from '../streams/port.ts'
import { createConsumer, type Consumer, type ConsumerLog, type ConsumerTuning } from './consumer.ts'
import { readJobFields } from './job-fields.ts'
import type { MessageOutcome } from './message-outcome.ts'

export interface SyncWorkerOptions {
  streams: StreamPort
  /** The id of this process, as part of the consumer's name. */
  pid: number
  random(): number
  log: ConsumerLog
  /** Stores the jobs in one step. A known idempotency key makes no second job. */
  enqueueJobs(requests: readonly JobRequest[]): Promise<readonly Enqueued[]>
  /** For metrics. */
  onEnqueued?: (jobs: readonly Enqueued[]) => void
  tuning?: ConsumerTuning
}

/**
 * Hop three: turns messages of `jobs.sync` into jobs. Stores a batch in one step and then
 * acknowledges it.
 */
export function createSyncWorker ({ streams, pid, random, log, enqueueJobs, onEnqueued, tuning }:
  SyncWorkerOptions): Consumer
{
  async function handle (entries: readonly Entry[]): Promise<MessageOutcome[]> {
    const messages = entries.map(entry => readJobFields(entry.fields))
    const requests = messages.flatMap(message => 'malformed' in message ? [] : [message])
    if (requests.length > 0) {
      const jobs = await enqueueJobs(requests)
      onEnqueued?.(jobs)
    }
    return messages.map(message =>
      'malformed' in message ? { kind: 'malformed', reason: message.malformed } : { kind: 'acknowledge' }
    )
  }

  return createConsumer({
    ...tuning,
    streams,
    stream: jobsStream,
    group: jobsGroup,
    consumer: `${jobsGroup}-${pid}`,
    log,
    random,
    handle
  })
}
