import { platformTypePattern } from '@linker/sdk'
import { eventIdPattern } from '@linker/sdk/host/text'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'
import { JobStatus, WaitsFor } from '../../jobs/schemas.ts'

const Time = Type.String({ format: 'date-time' })
const NullableText = Nullable(Type.String())
const IgnoredReason = Type.Union([
  Type.Literal('test'),
  Type.Literal('unknown event type'),
  Type.Literal('unwanted event type')
])
const DeliveryStatus = Type.Union([...JobStatus.anyOf, Type.Literal('ignored')], {
  description: 'The status of the job, or `ignored`'
})

const Problem = Nullable(Type.Object({
  code: Type.String(),
  message: Type.String(),
  fields: Type.Optional(Type.Unknown())
}, { description: 'Why the job died or waits' }))

const Replay = Type.Object({
  jobId: Id,
  createdAt: Time,
  status: JobStatus,
  waitsFor: Nullable(WaitsFor),
  problem: Problem,
  finishedAt: NullableText
})
export type Replay = Static<typeof Replay>

const members = {
  id: Type.String({ format: 'uuid', description: 'What the sender got as `X-Linker-Delivery-Id`' }),
  createdAt: Type.String({
    format: 'date-time',
    description: 'When the event became a job or was ignored; the list is in the order of these times'
  }),
  acceptedAt: Nullable(Type.String({ description: 'When the hub answered the sender with 202' })),
  provider: Type.String(),
  connectionId: Type.String(),
  eventId: Type.String(),
  eventType: NullableText,
  objectType: NullableText,
  externalId: Nullable(Type.String({ description: 'Id of the object at the platform' })),
  occurredAt: NullableText,
  requestId: NullableText,
  status: DeliveryStatus,
  ignored: Nullable(Type.Union(IgnoredReason.anyOf, { description: 'Why the event started no job' })),
  jobId: Nullable(Id),
  jobType: NullableText,
  waitsFor: Nullable(WaitsFor),
  problem: Problem,
  finishedAt: NullableText,
  replayCount: Type.Integer({ minimum: 0, description: 'How often it was replayed' }),
  lastReplay: Nullable(Replay),
  replayableUntil: Type.String({ format: 'date-time', description: 'Later, a replay is refused' })
}

export const DeliveryView = Type.Object(members, { $id: 'WebhookDelivery' })
export type DeliveryView = Static<typeof DeliveryView>

export const DeliveryDetail = Type.Object({
  ...members,
  replays: Type.Array(Replay, { description: 'The jobs of its replays, oldest first' })
}, { $id: 'WebhookDeliveryDetail' })
export type DeliveryDetail = Static<typeof DeliveryDetail>

const filterMembers = {
  provider: Type.Optional(Type.String({ pattern: platformTypePattern })),
  connectionId: Type.Optional(Id),
  eventType: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Such as `stock.changed`' })),
  eventId: Type.Optional(Type.String({ pattern: eventIdPattern })),
  status: Type.Optional(DeliveryStatus),
  replayed: Type.Optional(Type.Boolean({ description: 'Whether it was replayed, with whatever end' })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded at this time or later' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded before this time' }))
}

export const DeliveryQuery = Type.Object({
  ...filterMembers,
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })

export const ReplayBody = Type.Object({
  filter: Type.Object(filterMembers, {
    additionalProperties: false,
    minProperties: 1,
    description: 'Which deliveries; one member at least'
  }),
  includeReplayed: Type.Boolean({
    default: false,
    description: 'Also replays deliveries of which an earlier replay succeeded or has not ended'
  }),
  dryRun: Type.Boolean({ default: false, description: 'Only tells what a replay would do' })
}, { additionalProperties: false })
export type ReplayBody = Static<typeof ReplayBody>
export type DeliveryFilter = ReplayBody['filter']

export const Replayed = Type.Object({ jobId: Id }, { $id: 'WebhookReplay' })

export const StaysIgnored = Type.Object({
  jobId: Type.Null(),
  ignored: IgnoredReason
}, { $id: 'WebhookReplayIgnored', description: 'The event still starts no job' })

const Count = Type.Integer({ minimum: 0 })

/** The fate of a delivery in a replay. Its names are those of the counts in the summary. */
const outcomes = ['replayed', 'already replayed', 'ignored', 'refused'] as const
export type ReplayOutcome = (typeof outcomes)[number]

const Planned = Type.Object({
  ...members,
  outcome: Type.Union(outcomes.map(outcome => Type.Literal(outcome)), {
    description: 'What the replay does with it, or would do'
  })
})
export type PlannedView = Static<typeof Planned>

export const ReplaySummary = Type.Object({
  dryRun: Type.Boolean(),
  matched: Type.Integer({ minimum: 0, description: 'Deliveries that meet the filter, as far as the hub looked' }),
  isMore: Type.Boolean({
    description: 'The hub met a limit and stopped looking: one replay does not take all deliveries of the filter'
  }),
  jobs: Type.Integer({ minimum: 0, description: 'Deliveries that start a job' }),
  alreadyReplayed: Type.Integer({
    minimum: 0,
    description: 'Deliveries that could start a job, and of which an earlier replay succeeded or has not ended. ' +
      'They are left out of `jobs` unless `includeReplayed` is true'
  }),
  ignored: Type.Array(Type.Object({ reason: IgnoredReason, count: Count })),
  refused: Type.Array(Type.Object({
    code: Type.String(),
    detail: Type.String({ description: 'The reason for the first of them' }),
    count: Count
  })),
  sample: Type.Array(Planned, { description: 'The newest of the matched deliveries, ten at most' }),
  replays: Type.Array(Type.Object({ deliveryId: Id, jobId: Id }), { description: 'Empty in a dry run' })
}, { $id: 'WebhookReplaySummary' })
export type ReplaySummary = Static<typeof ReplaySummary>
