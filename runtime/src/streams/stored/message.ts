import {
  deadStreamOf,
  deadTtlSeconds,
  inboundStream,
  jobMarkerKey,
  jobsStream,
  markerTtlSeconds,
  type Fields
} from '../port.ts'

/**
 * The columns of `stream_messages` that describe a message wherever it is stored. Which consumer
 * has a message is left out: after a restore every message waits for its first delivery.
 */
export const messageColumns = [
  'stream',
  'key',
  'fields',
  'connection',
  'published_at',
  'expires_at',
  'acked_at'
] as const

/** The values of `messageColumns`, as PostgreSQL writes them. */
export type MessageRow = readonly [
  stream: string,
  key: string | null,
  fields: string,
  connection: string | null,
  publishedAt: string,
  expiresAt: string,
  ackedAt: string | null
]

/**
 * The rows of `stream_messages` that somebody still needs: messages that wait, markers that have
 * not expired, and dead messages.
 */
export const neededMessages = "acked_at is null or expires_at > now() and (key is not null or stream like '%.dead')"

/** The streams in the order in which a message passes through them. */
export const liveStreams = [inboundStream, jobsStream] as const
export const deadStreams = liveStreams.map(deadStreamOf)

/** The beginnings of the keys of markers, and the stream of each. */
export const markerStreams: readonly (readonly [prefix: string, stream: string])[] = [
  ['webhook:', inboundStream],
  [jobMarkerKey(''), jobsStream]
]

/** The row of an entry of a stream, which has no marker of its own. */
export function rowOfEntry (stream: string, fields: Fields, publishedMs: number): MessageRow {
  const isDead = deadStreams.includes(stream)
  const lifeMs = (isDead ? deadTtlSeconds : markerTtlSeconds) * 1_000
  const publishedAt = new Date(publishedMs).toISOString()
  return [
    stream,
    null,
    JSON.stringify(fields),
    connectionOf(fields),
    publishedAt,
    new Date(publishedMs + lifeMs).toISOString(),
    isDead ? publishedAt : null
  ]
}

/** The row of a marker: a message that was handled and keeps its key until the marker expires. */
export function rowOfMarker (stream: string, key: string, now: Date, expiresMs: number): MessageRow {
  return [stream, key, '{}', null, now.toISOString(), new Date(expiresMs).toISOString(), now.toISOString()]
}

function connectionOf ({ connectionId, metadataJson = '' }: Fields): string | null {
  return connectionId ?? /"connectionId"\s*:\s*"([^"]+)"/.exec(metadataJson)?.[1] ?? null
}
