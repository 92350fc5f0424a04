import {
  platformTypePattern,
  webhookBodyLimitBytes,
  type WebhookAccepted,
  type WebhookChallenge,
  type WebhookDelivery,
  type WebhookSource
} from '@linker/sdk'
import type { ChallengeAnswer } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import pTimeout from 'p-timeout'
import type { ConnectionCache, WebhookConnection } from '../connections/connection-cache.ts'
import { isDiskFull } from '../database/infrastructure-error.ts'
import {
  IntakeFullError,
  PayloadTooLargeError,
  PublishFailedError,
  SignatureMismatchError,
  WebhookConnectionNotFoundError,
  WebhookMalformedError,
  WebhookNotReadyError,
  WebhookSecretMissingError
} from '../errors.ts'
import { isKnownEventType, isUnwanted, knownEventTypes, objectTypeOf, startsJob } from '../events/event-to-job.ts'
import { toInboundFields } from '../events/inbound-fields.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { Intake } from '../streams/intake.ts'
import { eventKey, type InboundEvent, type PublishResult, type StreamPort } from '../streams/port.ts'
import { isUuid } from '../text-patterns.ts'
import { authenticateBearer, authenticateSigned, refuseOtherMedia } from './authenticate.ts'
import { createBodyCheck, createBodyParser, type WebhookBody } from './body.ts'
import { answerOf, challengeOf } from './challenges.ts'
import { addressOf, createPlatformProof } from './platform-proof.ts'
import type { SecretsOf, WebhookSecret } from './secrets.ts'
import { createSourceParser, refuseOtherContent } from './source-events.ts'

export interface Delivery {
  provider: string
  connectionId: string
  method: string
  /** Without its `?`. */
  query: string
  headers: IncomingHttpHeaders
  /** Names and values in turn. They show a header that came twice. */
  rawHeaders: readonly string[]
  rawBody: Buffer
  requestId: string
}

export interface GateOptions {
  connections: ConnectionCache
  streams: Pick<StreamPort, 'publishEvent' | 'publishEvents' | 'setEpoch'>
  intake: Pick<Intake, 'isFull'>
  secretsOf: SecretsOf
  /** Whether jobs of a type run on a connection. */
  hasJob(connection: WebhookConnection, jobType: string): boolean
  /**
   * Asks the function of the connection's adapter whether a delivery is genuine. Rejects with a 503
   * when it gives no verdict.
   */
  isGenuine(connection: WebhookConnection, delivery: WebhookDelivery): Promise<boolean>
  now: () => Date
  skewMs: number
}

/**
 * - `unknown-event-type`: the hub knows no job for them. It keeps them.
 * - `unwanted-event-type`: the adapter does not want them. The hub does not keep them.
 */
export type Ignored = 'unknown-event-type' | 'unwanted-event-type'

export interface Accepted {
  /** Ids of the jobs that the events start: of one event, unless the platform sends lists. */
  deliveryIds: readonly string[]
  /** How many of the events the hub had already. */
  duplicates: number
  /** Why the hub starts no job for any of the events; undefined when it may start one. */
  ignored: Ignored | undefined
  /** The answer that the platform expects; undefined: 202. */
  answer: WebhookAccepted | undefined
}

/** The request was a challenge of the platform: it has an answer, and the hub stores nothing. */
export interface Challenged {
  challenge: ChallengeAnswer
}

/**
 * The fate of a delivery. `ignored`: why it would be accepted and start nothing. `warning`: why its
 * job may find nothing.
 */
export type Judgement =
  | { isAccepted: true, ignored?: string | undefined, warning?: string | undefined }
  | { isAccepted: false, check: Check, error: unknown }

/** The checks in their order. A delivery that fails one is refused without looking at the next. */
export type Check = 'encoding' | 'connection' | 'authentication' | 'body'

export interface Gate {
  /**
   * Runs all checks and stores the event, or answers a challenge. Throws the error of the first
   * check that fails; nothing is left behind then. Only a POST can be an event.
   */
  accept(delivery: Delivery): Promise<Accepted | Challenged>
  /** The same checks without any effect. */
  check(delivery: Delivery): Promise<Judgement>
  /**
   * Returns the largest body that is worth reading for an address: more than the default only for
   * an open connection that declares it.
   */
  mostBytes(address: Pick<Delivery, 'provider' | 'connectionId'>): Promise<number>
}

interface Verified {
  connection: WebhookConnection
  bodies: readonly WebhookBody[]
  challenge?: ChallengeAnswer
}

// Some platforms wait only 3 s for the answer to a challenge.
const longestLookMs = 1_000

const providerPattern = new RegExp(platformTypePattern)

/**
 * The door for webhooks. The order matters: the gate checks the form of the address before any
 * look-up, and authenticates before it parses. Only for a connection with challenges that nobody
 * proves, it parses a body of up to 16 KiB before that. A forged request leaves no row, no key and
 * no entry.
 */
export function createGate ({ connections, streams, intake, secretsOf, hasJob, isGenuine, now, skewMs }:
  GateOptions): Gate
{
  const checkBody = createBodyCheck()
  const parseBody = createBodyParser(checkBody)
  const parseEvents = createSourceParser(checkBody)
  const refuseUnproved = createPlatformProof()

  async function verify (
    delivery: Delivery,
    find: ConnectionCache['find'],
    begin: (check: Check) => void
  ): Promise<Verified> {
    begin('encoding')
    refuseEncoded(delivery.headers)
    begin('connection')
    const connection = await findOpen(delivery, find)
    if (connection === undefined) throw new WebhookConnectionNotFoundError()
    begin('body')
    refuseLarger(delivery.rawBody, connection)
    begin('authentication')
    const open = challengeOf(connection, delivery, false)
    if (open !== undefined) return { connection, bodies: [], challenge: answer(open, connection, delivery) }
    // A GET has no body, so it may be looked at before it is proved.
    if (delivery.method !== 'POST' && challengeOf(connection, delivery, true) === undefined) {
      throw new WebhookConnectionNotFoundError()
    }
    const signedTime = await authenticate(connection, delivery)
    const proved = challengeOf(connection, delivery, true)
    if (proved !== undefined) return { connection, bodies: [], challenge: answer(proved, connection, delivery) }
    begin('body')
    return { connection, bodies: read(connection, delivery, signedTime ?? randomUUID()) }
  }

  function answer (challenge: WebhookChallenge, connection: WebhookConnection, delivery: Delivery): ChallengeAnswer {
    const { newest: secret, unreadable } = secretsOf(connection)
    try {
      return answerOf(challenge, delivery, { connection, secret })
    } catch (error) {
      const isUnreadable = unreadable !== undefined && error instanceof WebhookSecretMissingError
      throw isUnreadable ? new WebhookNotReadyError() : error
    }
  }

  /**
   * A delivery says "look now": only one of the same bytes and the same occasion is a repetition.
   */
  function read (connection: WebhookConnection, delivery: Delivery, occasion: string): readonly WebhookBody[] {
    const { platformType, webhookBody: form, webhookRules } = connection
    const { headers, rawHeaders, query, rawBody } = delivery
    const source = webhookRules?.source
    if (source === undefined) {
      return [parseBody(rawBody, form === null ? undefined : { form, platformType, receivedAt: now(), occasion })]
    }
    const parts = { contentType: headers['content-type'], rawHeaders, query, rawBody, occasion }
    return parseEvents(parts, {
      source,
      platformType,
      receivedAt: now(),
      startsJob: eventType =>
        startsJob(
          eventType,
          platformType,
          connection.webhookEvents ?? undefined,
          jobType => hasJob(connection, jobType)
        )
    })
  }

  /** Returns the time at which the platform signed the delivery. Undefined: it signs none. */
  async function authenticate (connection: WebhookConnection, delivery: Delivery): Promise<string | undefined> {
    const { method, headers, rawBody } = delivery
    const { verify, source } = connection.webhookRules ?? {}
    if (method === 'POST') refuseOther(headers, source)
    const { known: secrets, unreadable } = secretsOf(connection)
    const nowMs = now().getTime()
    try {
      if (verify?.kind === 'function') await refuseByFunction(connection, delivery, secrets)
      else if (verify !== undefined) return refuseUnproved(connection, verify, { ...delivery, secrets, nowMs, skewMs })
      else if (connection.webhookScheme === 'bearer') authenticateBearer({ headers, secrets })
      else return authenticateSigned({ headers, rawBody, secrets, nowMs, skewMs })
      return undefined
    } catch (error) {
      throw blameUnreadable(error, unreadable)
    }
  }

  async function refuseByFunction (
    connection: WebhookConnection,
    { rawBody, rawHeaders, query, method }: Delivery,
    secrets: readonly WebhookSecret[]
  ): Promise<void> {
    const verdict = await isGenuine(connection, {
      rawBody,
      headers: joinHeaders(rawHeaders),
      query,
      method,
      callbackUrl: addressOf(connection),
      secrets: secrets.map(({ key }) => key.export().toString('utf8'))
    })
    if (!verdict) throw Object.assign(new SignatureMismatchError(), { message: 'The adapter refuses this delivery' })
  }

  function refuseWhenFull (): void {
    if (intake.isFull()) throw new IntakeFullError()
  }

  async function publish (events: readonly InboundEvent[]): Promise<readonly PublishResult[]> {
    // Others may have filled the intake while this request waited for its connection.
    refuseWhenFull()
    try {
      const [event] = events
      // Only single events of all senders share one round trip.
      return event !== undefined && events.length === 1
        ? [await streams.publishEvent(event)]
        : await streams.publishEvents(events)
    } catch (error) {
      // The hub may not know whether the event was stored. It leaves the marker alone: the sender's
      // retry settles both cases.
      throw publishFailed(error)
    }
  }

  /** Returns undefined when the connection has changed since it was checked. */
  async function store (verified: Verified, requestId: string): Promise<Accepted | undefined> {
    const { connection, bodies } = verified
    const at = now()
    const events = bodies.map(body => toEvent(connection, body, requestId, at))
    const results = await publish(events)
    if (results.includes('stale')) return undefined
    return {
      deliveryIds: events.map(event => jobIdOf(eventKey(event))),
      duplicates: results.filter(result => result === 'duplicate').length,
      ignored: ignoredOf(verified),
      answer: connection.webhookRules?.accepted
    }
  }

  /**
   * The connection has changed since it was cached, and may be disabled: run every check again with
   * the stored connection.
   */
  async function acceptAgain (delivery: Delivery): Promise<Accepted | Challenged> {
    const verified = await verify(delivery, connections.refresh, ignore)
    if (verified.challenge !== undefined) return { challenge: verified.challenge }
    const { id, epoch } = verified.connection
    await streams.setEpoch(id, epoch).catch((error: unknown) => {
      throw publishFailed(error)
    })
    const accepted = await store(verified, delivery.requestId)
    if (accepted === undefined) throw new PublishFailedError()
    return accepted
  }

  /**
   * The stream compares the version of the connection of an event, but a challenge never gets
   * there: look whether the connection is disabled by now, unless the database is away or slow.
   */
  async function answerNow (delivery: Delivery): Promise<Accepted | Challenged> {
    const { challenge } = await verify(
      delivery,
      async id => pTimeout(connections.refresh(id), { milliseconds: longestLookMs }).catch(() => connections.find(id)),
      ignore
    )
    return challenge === undefined ? acceptAgain(delivery) : { challenge }
  }

  function ignoredOf ({ connection, bodies }: Verified): Ignored | undefined {
    const wanted = bodies.filter(({ eventType }) => !isUnwanted(eventType))
    if (wanted.length === 0) return bodies.length === 0 ? undefined : 'unwanted-event-type'
    const { platformType, webhookEvents } = connection
    const events = webhookEvents ?? undefined
    const isAnyKnown = wanted.some(({ eventType }) =>
      isKnownEventType(eventType, platformType, events, jobType => hasJob(connection, jobType))
    )
    return isAnyKnown ? undefined : 'unknown-event-type'
  }

  function explainUnknown (connection: WebhookConnection, eventType: string): string {
    const { platformType, webhookEvents } = connection
    const known = knownEventTypes(platformType, webhookEvents ?? undefined, jobType => hasJob(connection, jobType))
    return `the hub knows no job for events of type '${eventType}'; known types: ${known.join(', ') || 'none'}`
  }

  return {
    async accept (delivery) {
      // Before any check: a hub that is behind must not spend its time on what it refuses.
      if (delivery.method === 'POST') refuseWhenFull()
      const verified = await verify(delivery, connections.find, ignore)
      if (verified.challenge !== undefined) return answerNow(delivery)
      return await store(verified, delivery.requestId) ?? acceptAgain(delivery)
    },
    async check (delivery) {
      let current: Check = 'encoding'
      try {
        const verified = await verify(delivery, connections.find, check => {
          current = check
        })
        const { connection, bodies, challenge } = verified
        if (challenge !== undefined) {
          return { isAccepted: true, ignored: 'it is a challenge of the platform, which the hub only answers' }
        }
        const [first] = bodies
        if (first === undefined) return { isAccepted: true, ignored: 'the delivery has no events' }
        const ignored = ignoredOf(verified)
        if (ignored === undefined) {
          return { isAccepted: true, warning: explainOtherObject(first) ?? explainNoOffset(first) }
        }
        return {
          isAccepted: true,
          ignored: ignored === 'unwanted-event-type'
            ? `the adapter does not want events of type '${first.eventType}', so the hub does not keep them`
            : explainUnknown(connection, (bodies.find(({ eventType }) => !isUnwanted(eventType)) ?? first).eventType)
        }
      } catch (error) {
        return { isAccepted: false, check: current, error }
      }
    },
    async mostBytes (address) {
      const connection = await findOpen(address, connections.find)
      return Math.max(webhookBodyLimitBytes, connection === undefined ? 0 : mostBytesOf(connection))
    }
  }
}

/**
 * The specification leaves the type of the object open, so the gate accepts each. A sender that
 * mistakes it may send the id of another object with it.
 */
function explainOtherObject ({ eventType, object: { type } }: WebhookBody): string | undefined {
  const expected = objectTypeOf(eventType)
  if (expected === undefined || expected === type) return undefined
  return `events of type '${eventType}' are about an object of type '${expected}', not '${type}': the hub accepts ` +
    `the event, but its job finds nothing unless object.externalId is the id that '${expected}' needs`
}

/** PHP and others write times without one by default. The hub keeps the time as it came. */
function explainNoOffset ({ occurredAt }: WebhookBody): string | undefined {
  return /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(occurredAt.slice('2026-01-31'.length))
    ? undefined
    : 'occurredAt has no offset, so nobody knows which time it is: write 2026-01-31T12:00:00Z or …+01:00'
}

function ignore (): void {}

/**
 * Answer 500 and not 401: the sender is not to blame, because its secret may be the one that the
 * hub cannot read.
 */
function blameUnreadable (error: unknown, unreadable: unknown): unknown {
  return unreadable !== undefined && isAboutSecrets(error) ? new PublishFailedError({ cause: unreadable }) : error
}

/** The status is that of the specification, also when the disk is full. */
function publishFailed (cause: unknown): Error {
  const failure = new PublishFailedError({ cause })
  return isDiskFull(cause) ? Object.assign(failure, { message: `The disk is full. ${failure.message}` }) : failure
}

function refuseOther (headers: IncomingHttpHeaders, source: WebhookSource | undefined): void {
  if (source === undefined) refuseOtherMedia(headers)
  else refuseOtherContent(headers['content-type'], source)
}

/** Node keeps the first of several headers of some names; a function has to see all of them. */
function joinHeaders (rawHeaders: readonly string[]): Record<string, string> {
  const values = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    const [before, value] = [values.get(name), rawHeaders[index + 1] ?? '']
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(values)
}

function isAboutSecrets (error: unknown): boolean {
  return error instanceof SignatureMismatchError || error instanceof WebhookSecretMissingError
}

/** The specification allows 256 KB (section 8); a platform may declare more or less for itself. */
function mostBytesOf ({ webhookRules }: WebhookConnection): number {
  return webhookRules?.source?.mostBytes ?? webhookBodyLimitBytes
}

function refuseLarger ({ length }: Buffer, connection: WebhookConnection): void {
  const most = mostBytesOf(connection)
  if (length > most) throw new PayloadTooLargeError(most)
}

function refuseEncoded (headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new WebhookMalformedError('Content-Encoding is not accepted: send the body in the form that was signed')
  }
}

/**
 * Returns undefined for unknown, disabled and mismatched connections alike, so that nobody learns
 * which ids exist.
 */
async function findOpen (
  { provider, connectionId }: Pick<Delivery, 'provider' | 'connectionId'>,
  find: ConnectionCache['find']
): Promise<WebhookConnection | undefined> {
  if (!providerPattern.test(provider) || !isUuid(connectionId)) return undefined
  const connection = await find(connectionId.toLowerCase())
  const isOpen = connection?.platformType === provider && connection.status !== 'disabled'
  return isOpen ? connection : undefined
}

function toEvent (connection: WebhookConnection, body: WebhookBody, requestId: string, now: Date): InboundEvent {
  const { id: connectionId, platformType, epoch } = connection
  const fields = toInboundFields({
    provider: platformType,
    connectionId,
    requestId,
    eventId: body.eventId,
    eventType: body.eventType,
    occurredAt: body.occurredAt,
    publishedAt: now.toISOString(),
    objectType: body.object.type,
    externalId: body.object.externalId,
    payloadText: JSON.stringify(body.payload ?? null)
  })
  return { provider: platformType, connectionId, eventId: body.eventId, epoch, fields }
}
