import type { AdapterDescription, WebhooksDescription } from '../../host/describe.ts'
import { eventJobOf, isTestEvent } from '../../host/webhook-events/event-jobs.ts'
import { readBodyForm } from '../../host/webhook-events/read-body-form.ts'
import { readSource, UnreadableEvents } from '../../host/webhook-events/read-source.ts'
import { HubJobType } from '../../hub-job-type.ts'
import { challengeOf } from './challenge-check.ts'
import type { Check } from './check.ts'
import { lacking } from './evidence.ts'
import { findings } from './finding.ts'
import { bodyFault, describeOtherContent, readBody, toReceived } from './sample-requests.ts'
import { settingsFile, type SampleDelivery } from './settings.ts'
import type { Subject } from './subject.ts'

/** Reads the events of the deliveries as the hub does. */
export const eventsCheck: Check = {
  id: 'L1-SHP-12',
  level: 1,
  needs: 'events',
  title: `webhooks.source or webhooks.body finds the events of the deliveries of ${settingsFile}`,
  prevents: 'the hub accepted every webhook, and none started a job: the topic or the id stood in another place',
  evidence: async ({ settings: { settings: { deliveries = [] } } }) =>
    lacking(deliveries.length === 0 ? `${settingsFile} has no deliveries` : undefined),
  async run (subject) {
    const reader = await readerOf(subject)
    return findings(deliveriesOf(subject).flatMap((delivery, index) => faultsOf(delivery, index, reader)))
  },
  async warn (subject) {
    const reader = await readerOf(subject)
    return findings([
      ...looksAgain(reader)
        ? [
          'the deliveries have neither an id of the event nor a signed time, so the hub knows no repetition: it ' +
          'looks at the platform for each of them. Declare source.eventId or a signed time if the platform sends one'
        ]
        : [],
      ...idleTypes(reader).map(([topic, eventType]) =>
        `source.eventTypes maps '${topic}' to ${eventType}, which starts no job: name one in webhooks.events`
      ),
      ...deliveriesOf(subject).flatMap((delivery, index) => remarksOn(delivery, index, reader))
    ])
  }
}

/** The facts of the adapter by which the hub reads a delivery. */
interface Reader {
  webhooks: WebhooksDescription
  platformType: string
  jobs: AdapterDescription['jobs']
}

/** The samples of the settings are no repetitions of each other. */
const occasion = ''

/** The members of an event that a delivery of the settings may name. */
type ReadEvent = NonNullable<SampleDelivery['events']>[number]

async function readerOf ({ package: { manifest }, imported }: Subject): Promise<Reader> {
  const description = (await imported()).report?.description
  const { webhooks = { scheme: 'hmac', canInstall: false }, jobs = {} } = description ?? {}
  return { webhooks, platformType: manifest?.platformType ?? '', jobs }
}

function deliveriesOf ({ settings: { settings: { deliveries = [] } } }: Subject): readonly SampleDelivery[] {
  return deliveries
}

function startsJob (eventType: string, { webhooks: { events }, platformType, jobs }: Reader): boolean {
  const jobType = isTestEvent(eventType) ? undefined : eventJobOf(eventType, platformType, events)
  const ofHub: readonly string[] = Object.values(HubJobType)
  return jobType !== undefined && (Object.hasOwn(jobs, jobType) || ofHub.includes(jobType))
}

/** Whether nothing in a delivery tells a repetition from a later event. */
function looksAgain ({ webhooks: { source, body, verify, scheme } }: Reader): boolean {
  const hasSignedTime = verify === undefined
    ? scheme === 'hmac'
    : verify.kind === 'hmac' && verify.timestamp !== undefined || verify.kind === 'jwt' && verify.bodyHash !== undefined
  return !hasSignedTime && (body !== undefined || source !== undefined && source.eventId === undefined)
}

/** Lists the topics that are mapped to an event type which starts no job. */
function idleTypes (reader: Reader): [topic: string, eventType: string][] {
  return Object.entries(reader.webhooks.source?.eventTypes ?? {}).flatMap(([topic, eventType]) =>
    eventType === null || isTestEvent(eventType) || startsJob(eventType, reader) ? [] : [[topic, eventType]]
  )
}

/** Reads the events of a delivery; those that the adapter does not want are left out. */
function readEvents (delivery: SampleDelivery, reader: Reader): ReadEvent[] {
  const { webhooks: { source, body: form }, platformType } = reader
  const other = describeOtherContent(delivery, source)
  if (other !== undefined) throw new UnreadableEvents(other)
  const body = readBody(delivery, source)
  const fault = bodyFault(delivery, body)
  if (fault !== undefined) throw new UnreadableEvents(fault)
  if (source === undefined) {
    if (form === undefined) return []
    const { rawBody } = toReceived(delivery)
    const { externalId, ...event } = readBodyForm({ body, rawBody, occasion }, form, platformType)
    if (externalId === undefined) throw new UnreadableEvents('has no usable external id', form.externalId)
    return [withoutMissing({ ...event, externalId })]
  }
  const { rawHeaders, query, rawBody } = toReceived(delivery)
  return readSource({ rawHeaders, query, rawBody, body, occasion }, {
    source,
    platformType,
    needsObject: ({ eventType }) => typeof eventType === 'string' && startsJob(eventType, reader)
  }).filter(({ eventType }) => eventType !== null).map(event => withoutMissing(event))
}

function withoutMissing (event: object): ReadEvent {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined && value !== null))
}

/** Returns the events, or why they cannot be read. A challenge has none. */
function tryRead (delivery: SampleDelivery, reader: Reader): ReadEvent[] | string | undefined {
  if (challengeOf(reader.webhooks, { method: 'POST', answer: {}, ...delivery }) !== undefined) {
    return undefined
  }
  try {
    return readEvents(delivery, reader)
  } catch (error) {
    if (!(error instanceof UnreadableEvents)) throw error
    return error.pointer === undefined ? error.message : `${error.pointer} ${error.message}`
  }
}

function faultsOf (delivery: SampleDelivery, index: number, reader: Reader): string[] {
  const read = tryRead(delivery, reader)
  if (read === undefined) return []
  if (typeof read === 'string') return [`deliveries/${index} cannot be read: ${read}`]
  const { events: expected } = delivery
  if (expected === undefined) return []
  if (read.length !== expected.length) {
    return [`deliveries/${index} has ${read.length} events, not ${expected.length}${listed(read)}`]
  }
  return expected.flatMap((event, place) =>
    Object.entries(event).flatMap(([member, value]) => {
      const found = read[place]?.[member as keyof ReadEvent]
      return found === value
        ? []
        : [`deliveries/${index}/events/${place}/${member} is read as ${found ?? 'nothing'}, not ${value}`]
    })
  )
}

function remarksOn (delivery: SampleDelivery, index: number, reader: Reader): string[] {
  const read = tryRead(delivery, reader)
  if (!Array.isArray(read)) return []
  const unmapped = new Set(read.filter(({ eventType }) => eventType === undefined).map(({ topic }) => topic))
  return [
    ...[...unmapped].map(topic =>
      `deliveries/${index} has the topic '${topic}', which source.eventTypes does not name: it starts no job`
    ),
    ...delivery.events === undefined
      ? [`deliveries/${index} does not say which events it has. The hub reads ${read.length}${listed(read)}`]
      : []
  ]
}

function listed (events: readonly ReadEvent[]): string {
  return events.length === 0 ? '' : `: ${JSON.stringify(events)}`
}
