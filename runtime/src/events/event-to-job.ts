import { defaultEventJobs, eventJobOf, isTestEvent } from '@linker/sdk/host'
import type { JobRequest } from '../jobs/job.ts'
import { eventKey } from '../streams/port.ts'
import type { InboundMessage } from './inbound-fields.ts'

/** Event type → job type, as an adapter declares it. */
export type EventMap = Readonly<Record<string, string>>

/** Whether jobs of a type can run on the connection of the event. */
export type HasJob = (jobType: string) => boolean

/** Why an event starts no job. */
export type IgnoredReason = 'test' | 'unknown event type' | 'unwanted event type'

/** A job to start, or why there is none. */
export type EventMapping = { job: JobRequest } | { ignored: IgnoredReason }

// The hash at the end keeps it apart from the types of senders.
const unwantedPattern = /^unwanted\.\w*_[0-9a-f]{8}$/

/** The type of the object that an event is about, for the four of the specification. */
const objectTypes: ReadonlyMap<string, string> = new Map([
  ['product.saved', 'product'],
  ['stock.changed', 'stock'],
  ['order.created', 'order'],
  ['order.status_changed', 'order']
])

/**
 * Returns the job that an event starts. The event types in `events`, from the connection's adapter,
 * win over the four of the specification. An event starts no job when neither list has its type,
 * when the adapter does not have the job, when its type is `test.*`, or when its adapter does not
 * want it. The same event gives the same idempotency key.
 */
export function eventToJob (event: InboundMessage, events?: EventMap, hasJob?: HasJob): EventMapping {
  const { provider, connectionId, eventId, eventType, objectType, externalId, occurredAt, publishedAt, requestId } =
    event
  if (isTestEvent(eventType)) return { ignored: 'test' }
  const jobType = jobTypeOf(eventType, provider, events, hasJob)
  if (jobType === undefined) return { ignored: isUnwanted(eventType) ? 'unwanted event type' : 'unknown event type' }
  const request = requestId === undefined ? {} : { requestId }
  return {
    job: {
      jobType,
      connectionId,
      payload: { schemaVersion: 1, externalId, objectType, eventType, eventId, occurredAt, publishedAt, ...request },
      idempotencyKey: eventKey({ provider, connectionId, eventId }),
      ...request
    }
  }
}

/** Whether an event of this type starts a job, is a test, or is not wanted by its adapter. */
export function isKnownEventType (eventType: string, provider: string, events?: EventMap, hasJob?: HasJob): boolean {
  return isTestEvent(eventType) || isUnwanted(eventType) || startsJob(eventType, provider, events, hasJob)
}

/** Whether the type is one that `unwantedType` makes. */
export function isUnwanted (eventType: string): boolean {
  return unwantedPattern.test(eventType)
}

/** Whether an event of this type starts a job. */
export function startsJob (eventType: string, provider: string, events?: EventMap, hasJob?: HasJob): boolean {
  return !isTestEvent(eventType) && jobTypeOf(eventType, provider, events, hasJob) !== undefined
}

/** The types that start jobs, for a sender who mistyped one. */
export function knownEventTypes (provider: string, events: EventMap = {}, hasJob?: HasJob): string[] {
  return [...eventJobTypes(provider, events, hasJob).keys()]
}

/** The type of the object that an event is about. Undefined: the hub does not know the event. */
export function objectTypeOf (eventType: string): string | undefined {
  return objectTypes.get(eventType)
}

/** The event types that start jobs, each with the type of its job. */
export function eventJobTypes (provider: string, events: EventMap = {}, hasJob?: HasJob): Map<string, string> {
  const types = new Set([...Object.keys(events), ...defaultEventJobs.keys()])
  return new Map([...types].flatMap(type => {
    const jobType = isTestEvent(type) ? undefined : jobTypeOf(type, provider, events, hasJob)
    return jobType === undefined ? [] : [[type, jobType] as const]
  }))
}

/** The types of the jobs that events about stock start: their names begin with `stock.`. */
export function stockJobTypes (provider: string, events: EventMap = {}): string[] {
  return jobTypesOfEvents('stock.', provider, events)
}

/** The types of the jobs that events about orders start: their names begin with `order.`. */
export function orderJobTypes (provider: string, events: EventMap = {}): string[] {
  return jobTypesOfEvents('order.', provider, events)
}

function jobTypesOfEvents (prefix: string, provider: string, events: EventMap): string[] {
  const eventTypes = [...Object.keys(events), ...defaultEventJobs.keys()].filter(type => type.startsWith(prefix))
  return [...new Set(eventTypes.flatMap(type => jobTypeOf(type, provider, events) ?? []))]
}

/** Returns the type of the job that an event of this type starts. */
export function jobTypeOf (
  eventType: string,
  provider: string,
  events: EventMap | undefined,
  hasJob: HasJob = () => true
): string | undefined {
  const jobType = eventJobOf(eventType, provider, events)
  return jobType !== undefined && hasJob(jobType) ? jobType : undefined
}
