import type { WebhookSource } from '@linker/sdk'
import { createHash } from 'node:crypto'
import { jobTypeOf, type EventMap } from './event-to-job.ts'

const longestWord = 60

/**
 * The type under which the hub keeps an event whose topic nobody mapped. It starts no job, and each
 * topic has its own.
 */
export function unmappedType (topic: string): string {
  return `unmapped.${wordOf(topic)}`
}

/** The type of an event whose topic the adapter does not want. The hub does not keep the event. */
export function unwantedType (topic: string): string {
  return `unwanted.${wordOf(topic)}`
}

function wordOf (topic: string): string {
  const word = topic.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '_').slice(0, longestWord)
  return `${word}_${createHash('sha256').update(topic).digest('hex').slice(0, 8)}`
}

/** Topic of an event that came before its mapping, as its type → the type that it is mapped to. */
type Mapped = readonly (readonly [unmapped: string, eventType: string])[]

// Computed once for each source that was read, not for each event: a type needs a hash.
const mappedBySource = new WeakMap<WebhookSource, Mapped>()
const unwantedBySource = new WeakMap<WebhookSource, ReadonlySet<string>>()
const none: ReadonlySet<string> = new Set()

/**
 * Adds the topics that the platform's source maps: an event that came before the mapping keeps its
 * type, and a replay starts the job of today.
 */
export function withMappedTopics (
  events: EventMap | undefined,
  platformType: string,
  source: WebhookSource | undefined
): EventMap | undefined {
  if (source?.eventTypes === undefined) return events
  const added = mappedOf(source).flatMap(([unmapped, eventType]) => {
    const jobType = jobTypeOf(eventType, platformType, events)
    return jobType === undefined ? [] : [[unmapped, jobType] as const]
  })
  return { ...Object.fromEntries(added), ...events }
}

function mappedOf (source: WebhookSource): Mapped {
  const known = mappedBySource.get(source) ??
    Object.entries(source.eventTypes ?? {}).flatMap(([topic, eventType]) =>
      eventType === null ? [] : [[unmappedType(topic), eventType] as const]
    )
  mappedBySource.set(source, known)
  return known
}

/** The types of events that the hub kept before the adapter declared that it does not want them. */
export function unwantedSince (source: WebhookSource | undefined): ReadonlySet<string> {
  if (source?.eventTypes === undefined) return none
  const known = unwantedBySource.get(source) ??
    new Set(Object.entries(source.eventTypes).flatMap(([topic, eventType]) =>
      eventType === null ? [unmappedType(topic)] : []
    ))
  unwantedBySource.set(source, known)
  return known
}
