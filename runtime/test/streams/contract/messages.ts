import { randomUUID } from 'node:crypto'
import {
  inboundGroup,
  inboundStream,
  jobsGroup,
  jobsStream,
  type Entry,
  type InboundEvent,
  type JobMessage,
  type StreamPort
} from '../../../src/streams/port.ts'
import type { StreamDriver } from '../drivers.ts'

const neverAborted = new AbortController().signal

export function event (connectionId: string, eventId: string): InboundEvent {
  return {
    provider: 'shopa',
    connectionId,
    eventId,
    epoch: 1,
    fields: {
      eventId,
      eventType: 'inbound.webhook.stock.changed',
      payloadJson: '{"objectType":"stock","externalId":"27","payload":null}',
      metadataJson: JSON.stringify({ schemaVersion: 1, provider: 'shopa', connectionId }),
      occurredAt: '2025-01-01T12:00:31+01:00',
      publishedAt: '2025-01-01T11:00:32.000Z'
    }
  }
}

export function jobMessage (idempotencyKey: string): JobMessage {
  return {
    idempotencyKey,
    fields: {
      jobType: 'master.product.syncByExternalId',
      connectionId: randomUUID(),
      payloadJson: '{"externalId":"27"}',
      idempotencyKey,
      createdAt: '2025-01-01T11:00:32.000Z'
    }
  }
}

export function read (
  streams: StreamPort,
  {
    stream = inboundStream,
    group = inboundGroup,
    consumer = 'reader',
    count = 100,
    blockMs = 0,
    signal = neverAborted
  } = {}
): Promise<Entry[]> {
  return streams.read({ stream, group, consumer, count, blockMs, signal })
}

export function ahead (
  streams: StreamPort,
  stream = inboundStream,
  group = inboundGroup
): Promise<{ entries: Entry[], isEnd: boolean }> {
  return streams.readAhead({ stream, group, consumer: 'reader' })
}

export function events (connectionId: string, count: number, name = 'event'): InboundEvent[] {
  return Array.from({ length: count }, (_, index) => event(connectionId, `${name}-${index}`))
}

export function of (connectionId: string, { fields }: Entry): boolean {
  return fields.metadataJson?.includes(connectionId) === true
}

export function claim (
  streams: StreamPort,
  { stream = inboundStream, group = inboundGroup, consumer = 'claimer', count = 100, minIdleMs = 10_000 } = {}
): Promise<Entry[]> {
  return streams.claimIdle({ stream, group, consumer, count, minIdleMs })
}

/** Empties the server, and returns the id of a connection that it knows. */
export async function prepare (driver: StreamDriver): Promise<string> {
  const { streams } = driver
  await driver.clear()
  await streams.ensureGroup(inboundStream, inboundGroup)
  await streams.ensureGroup(jobsStream, jobsGroup)
  const connectionId = randomUUID()
  await driver.setVersion(connectionId, 1)
  return connectionId
}

/** Publishes one group after the other. Within a group several statements may run at once. */
export async function publishInOrder (streams: StreamPort, ...groups: InboundEvent[][]): Promise<void> {
  for (const group of groups) await Promise.all(group.map(streams.publishEvent))
}

export function byId (a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
