import { signWebhook, webhookBodyLimitBytes, type WebhookBodyForm } from '@linker/sdk'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import {
  createConnectionCache,
  type ConnectionCache,
  type StoredSecret,
  type WebhookConnection
} from '../../src/connections/connection-cache.ts'
import { watchIntake } from '../../src/streams/intake.ts'
import { eventKey, type Fields, type StreamPort } from '../../src/streams/port.ts'
import webhookRoutes, { type WebhookRoutesOptions } from '../../src/webhooks/routes.ts'
import { buildHttpApp, type LogLine } from '../http/support.ts'

export const shopId = '123e4567-e89b-12d3-a456-426614174000'
export const marketId = '9b2d7f60-1c1e-4a55-8f6e-3d1b0a7c5e21'
export const disabledId = '5d0c2a9e-7b1f-4e0a-9c3d-8f2e6a4b1c70'
export const unknownId = '00000000-0000-4000-8000-000000000001'
export const secret = 'test-secret'
export const marketSecret = 'market-secret'
export const startMs = 1_735_729_231_000

/** An event of the shop in the form of its module. */
export const event = {
  schemaVersion: 1,
  eventId: 'e3a637dd-70f4-11f4-1322-17ce5f42b233',
  eventType: 'product.saved',
  occurredAt: '2025-01-01T12:00:31+01:00',
  object: { type: 'product', externalId: '27' }
}

/** The rules for reading the orders of a marketplace. */
export const orderForm: WebhookBodyForm = {
  eventType: 'order.changed',
  objectType: 'order',
  externalId: '/id',
  occurredAt: ['/updated', '/created']
}

/**
 * The part of the stream port that the gate uses, in memory. A test can read its state and make it
 * fail.
 */
export interface MemoryStreams extends StreamPort {
  entries: Fields[]
  markers: Set<string>
  epochs: Map<string, number>
  /** When set, every publication fails with this error. */
  failure: Error | undefined
}

export function createMemoryStreams (): MemoryStreams {
  const unused = async (): Promise<never> => {
    throw new Error('the gate does not use this')
  }
  const streams: MemoryStreams = {
    entries: [],
    markers: new Set(),
    epochs: new Map(),
    failure: undefined,
    async publishEvent (published) {
      if (streams.failure !== undefined) throw streams.failure
      if (streams.epochs.get(published.connectionId) !== published.epoch) return 'stale'
      if (streams.markers.has(eventKey(published))) return 'duplicate'
      streams.markers.add(eventKey(published))
      streams.entries.push(published.fields)
      return 'published'
    },
    async publishEvents (events) {
      if (streams.failure !== undefined) throw streams.failure
      return Promise.all(events.map(streams.publishEvent))
    },
    async setEpoch (connectionId, epoch) {
      streams.epochs.set(connectionId, Math.max(epoch, streams.epochs.get(connectionId) ?? 0))
    },
    length: async () => streams.entries.length,
    enqueueJob: unused,
    ensureGroup: unused,
    read: unused,
    readAhead: unused,
    claimIdle: unused,
    acknowledge: unused,
    deadLetter: unused,
    listDead: unused,
    maintain: unused,
    sizes: unused,
    inspect: unused,
    touch: unused,
    ping: unused,
    close: unused
  }
  return streams
}

export interface Rows {
  connections: Map<string, WebhookConnection>
  /** When set, the database fails with this error. */
  failure: Error | undefined
  /** When set, the database does not answer before this promise. */
  hang: Promise<void> | undefined
  /** Ids that were looked up. */
  loads: string[]
  load(id: string): Promise<WebhookConnection | null>
}

export function createRows (...connections: WebhookConnection[]): Rows {
  const rows: Rows = {
    connections: new Map(connections.map(connection => [connection.id, connection])),
    failure: undefined,
    hang: undefined,
    loads: [],
    async load (id) {
      rows.loads.push(id)
      await rows.hang
      if (rows.failure !== undefined) throw rows.failure
      return rows.connections.get(id) ?? null
    }
  }
  return rows
}

export function connection (id: string, more: Partial<WebhookConnection> = {}): WebhookConnection {
  return {
    id,
    platformType: 'shopa',
    status: 'active',
    epoch: 1,
    adapterKey: 'shopa.webservice.v1',
    adapterVersion: null,
    webhookScheme: 'hmac',
    webhookEvents: null,
    webhookBody: null,
    webhookRules: null,
    callbackBaseUrl: null,
    challengeTokens: null,
    webhookSecrets: [],
    ...more
  }
}

/** A secret as the hub stores it without a key. */
export function storedSecret (secret: string, expiresAtMs: number | null = null): StoredSecret {
  return { id: secret, json: { secret }, encrypted: false, expiresAtMs }
}

/** A job type to which the specification maps an event, but which no adapter here has. */
const jobNobodyHas = 'mktb.order.syncByExternalId'

export interface GateApp {
  app: FastifyInstance
  log: LogLine[]
  streams: MemoryStreams
  rows: Rows
  clock: { nowMs: number }
  cache: ConnectionCache
  /** Delivers to the server without a socket. */
  deliver(delivery?: DeliveryOptions): Promise<LightMyRequestResponse>
}

export interface GateAppOptions {
  variables?: Record<string, string>
  streams?: StreamPort
  webhookMostBytes?: number
  level?: string
  server?: object
  isGenuine?: WebhookRoutesOptions['isGenuine']
}

/**
 * Makes a server like that of the hub, with the webhook routes. It knows a shop, a marketplace and
 * a disabled shop, and the stream knows their versions.
 */
export async function buildGateApp (
  t: Test,
  {
    variables,
    streams,
    webhookMostBytes = webhookBodyLimitBytes,
    isGenuine = async () => false,
    ...http
  }: GateAppOptions = {}
): Promise<GateApp> {
  const clock = { nowMs: startMs }
  const memory = createMemoryStreams()
  const rows = createRows(
    connection(shopId),
    connection(marketId, { platformType: 'mktb', webhookScheme: 'bearer' }),
    connection(disabledId, { status: 'disabled' })
  )
  for (const { id, epoch } of rows.connections.values()) await (streams ?? memory).setEpoch(id, epoch)
  const cache = createConnectionCache({ load: rows.load, now: () => clock.nowMs })
  const webhookSecrets = new Map(Object
    .entries(variables ?? { LINKER_WEBHOOK_SECRET__SHOPA: secret, LINKER_WEBHOOK_SECRET__MKTB: marketSecret }))
  const { app, log } = await buildHttpApp(t, {
    ...http,
    async routes (scope) {
      scope.decorate('webhookConnections', cache)
      const watched = watchIntake(streams ?? memory)
      scope.decorate('streams', watched.streams)
      scope.decorate('intake', watched.intake)
      await scope.register(webhookRoutes, {
        config: { webhookSecrets, webhookSkewMs: 300_000, webhookMostBytes },
        now: () => new Date(clock.nowMs),
        hasJob: (_connection, jobType) => jobType !== jobNobodyHas,
        isGenuine
      })
    }
  })
  return { app, log, streams: memory, rows, clock, cache, deliver: options => app.inject(delivery(options)) }
}

export interface DeliveryOptions {
  provider?: string
  connectionId?: string
  /** Added to the end of the address. */
  suffix?: string
  body?: string | Buffer
  secret?: string
  timestamp?: string
  /** Headers that replace those of a good delivery; `undefined` leaves a header out. */
  headers?: Record<string, string | undefined>
}

/** Makes a delivery in the form of the shop, which is good unless the test changes a part of it. */
export function delivery (options: DeliveryOptions = {}): InjectOptions & {
  headers: Record<string, string>,
  payload: string | Buffer,
  url: string
} {
  const {
    provider = 'shopa',
    connectionId = shopId,
    suffix = '',
    body = JSON.stringify(event),
    timestamp = String(startMs)
  } = options
  const headers = {
    'content-type': 'application/json',
    'x-linker-timestamp': timestamp,
    'x-linker-signature': signWebhook(options.secret ?? secret, timestamp, body),
    ...options.headers
  }
  const given = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined)
  return {
    method: 'POST',
    url: `/webhooks/${provider}/${connectionId}${suffix}`,
    headers: Object.fromEntries(given),
    payload: body
  }
}

/** Makes a delivery of the marketplace, which sends the secret itself as a bearer token. */
export function marketDelivery (authorization: string | undefined, body: object = event): InjectOptions {
  return {
    method: 'POST',
    url: `/webhooks/mktb/${marketId}`,
    headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
    payload: JSON.stringify(body)
  }
}
