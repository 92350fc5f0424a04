import type { JobRequest } from '../jobs/job.ts'
import { inboundGroup, inboundStream, type Entry, type StreamPort } from '../streams/port.ts'
import { createConsumer, type Consumer, type ConsumerLog, type ConsumerTuning, type Verdict } from './consumer.ts'
import { eventToJob, type EventMap } from './event-to-job.ts'
import { readInboundFields, type InboundMessage } from './inbound-fields.ts'
import { toJobFields } from './job-fields.ts'

export interface WebhookHandlerOptions {
  streams: StreamPort
  /** Of this process. Part of the consumer's name. */
  pid: number
  now: () => Date
  log: ConsumerLog
  /** What the adapter of the event's connection declares; absent, or undefined: the four of the specification. */
  eventsOf?: (message: InboundMessage) => Promise<EventMap | undefined> | EventMap | undefined
  /** For metrics. `isNew` is false when the job was enqueued before. */
  onPublished?: (message: InboundMessage, job: JobRequest, answer: { isNew: boolean, id: string }) => void
  onIgnored?: (message: InboundMessage, reason: string) => void
  tuning?: ConsumerTuning
}

/** Hop two: inbound events become messages on `jobs.sync`, each acknowledged in the same step. */
export function createWebhookHandler ({ streams, pid, now, log, eventsOf, onPublished, onIgnored, tuning }: WebhookHandlerOptions): Consumer {
  async function handleEntry (entry: Entry): Promise<Verdict> {
    const message = readInboundFields(entry.fields)
    if ('malformed' in message) return { kind: 'malformed', reason: message.malformed }
    const mapping = eventToJob(message, await eventsOf?.(message))
    if ('ignored' in mapping) {
      log.info({ eventId: message.eventId, eventType: message.eventType, connectionId: message.connectionId, requestId: message.requestId, reason: mapping.ignored }, 'event ignored')
      onIgnored?.(message, mapping.ignored)
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
    // All at once: the driver sends those of one turn together.
    handle: entries => Promise.all(entries.map(entry => handleEntry(entry).catch((error: unknown): Verdict => ({ kind: 'failed', error }))))
  })
}
