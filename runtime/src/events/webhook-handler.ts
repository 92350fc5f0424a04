import type { JobRequest } from '../jobs/job.ts'
import { inboundGroup, inboundStream, type Entry, type StreamPort } from '../streams/port.ts'
import { createConsumer, type Consumer, type ConsumerLog, type ConsumerTuning } from './consumer.ts'
import { eventToJob, type IgnoredReason } from './event-to-job.ts'
import { readInboundFields, type InboundMessage } from './inbound-fields.ts'
import { toJobFields } from './job-fields.ts'
import type { JobsOfConnection } from './jobs-of-connection.ts'
import type { MessageOutcome } from './message-outcome.ts'

export interface WebhookHandlerOptions {
  streams: StreamPort
  /** The id of this process, as part of the consumer's name. */
  pid: number
  now: () => Date
  random(): number
  log: ConsumerLog
  /**
   * Returns which events start jobs on the connection of an event. Absent: the four events of the
   * specification.
   */
  jobsOf?: (message: InboundMessage) => Promise<JobsOfConnection> | JobsOfConnection
  /** For metrics. `isNew` is false when the job was enqueued before. */
  onPublished?: (message: InboundMessage, job: JobRequest, answer: { isNew: boolean, id: string }) => void
  /**
   * Called for an event that starts no job. The consumer acknowledges the entry after this call,
   * and may call it again for the same event.
   */
  onIgnored?: (message: InboundMessage, reason: IgnoredReason, entry: Entry) => Promise<void> | void
  tuning?: ConsumerTuning
}

/** Hop two: inbound events become messages on `jobs.sync`, each acknowledged in the same step. */
export function createWebhookHandler ({ streams, pid, now, random, log, jobsOf, onPublished, onIgnored, tuning }:
  WebhookHandlerOptions): Consumer
{
  async function handleEntry (entry: Entry): Promise<MessageOutcome> {
    const message = readInboundFields(entry.fields)
    if ('malformed' in message) return { kind: 'malformed', reason: message.malformed }
    const { events, hasJob } = await jobsOf?.(message) ?? {}
    const mapping = eventToJob(message, events, hasJob)
    if ('ignored' in mapping) {
      // The stream only showed this entry. The hub records the event when its turn comes.
      if (entry.deliveries === 0) return { kind: 'acknowledge' }
      // A platform may send an unwanted event for every step of a buyer.
      if (mapping.ignored !== 'unwanted event type') {
        log.info({
          eventId: message.eventId,
          eventType: message.eventType,
          connectionId: message.connectionId,
          requestId: message.requestId,
          reason: mapping.ignored
        }, 'event ignored')
      }
      await onIgnored?.(message, mapping.ignored, entry)
      return { kind: 'acknowledge' }
    }
    const { job } = mapping
    const answer = await streams.enqueueJob(
      { idempotencyKey: job.idempotencyKey, fields: toJobFields(job, now().toISOString()) },
      { stream: inboundStream, group: inboundGroup, id: entry.id }
    )
    onPublished?.(message, job, answer)
    return { kind: 'settled' }
  }

  return createConsumer({
    ...tuning,
    streams,
    stream: inboundStream,
    group: inboundGroup,
    consumer: `${inboundGroup}-${pid}`,
    log,
    random,
    // All entries at once: the driver sends the jobs of one turn together.
    handle: entries =>
      Promise.all(entries.map(entry =>
        handleEntry(entry).catch((error: unknown): MessageOutcome => ({ kind: 'failed', error }))
      ))
  })
}
