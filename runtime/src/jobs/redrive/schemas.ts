import { Type, type Static } from '@sinclair/typebox'
import { AuditActor } from '../../audit/schemas.ts'
import { Id, Nullable } from '../../http/schemas.ts'
import { CancelBody, JobQuery, JobView } from '../schemas.ts'

/** Jobs of one redrive. */
export const mostRedriven = 10_000
const mostNamed = 1_000
const mostPerMinute = 10_000

const { connectionId, jobType, code, objectKey, offerId, orderId, since, until } = JobQuery.properties

export const RedriveFilter = Type.Object({
  connectionId,
  jobType,
  code,
  objectKey,
  offerId,
  orderId,
  since,
  until,
  jobIds: Type.Optional(Type.Array(Id, {
    minItems: 1,
    maxItems: mostNamed,
    description: 'Only these jobs. Those that are not dead, or do not meet the other members, are skipped'
  }))
}, {
  additionalProperties: false,
  description: 'Which dead jobs; one member at least. A job has to meet all of them'
})
export type RedriveFilter = Static<typeof RedriveFilter>

export const RedriveBody = Type.Object({
  filter: RedriveFilter,
  dryRun: Type.Boolean({ default: false, description: 'Changes nothing; answers what a redrive would do' }),
  first: Type.Optional(Type.Integer({
    minimum: 1,
    maximum: mostRedriven,
    description: 'Runs so many jobs, waits for their ends, and then for `POST /redrives/{id}/continue`'
  })),
  perMinute: Type.Optional(Type.Integer({
    minimum: 1,
    maximum: mostPerMinute,
    description: 'Runs at most so many jobs again in a minute. Default: as fast as the hub can'
  }))
}, { additionalProperties: false })
export type RedriveBody = Static<typeof RedriveBody>

export const SkipReason = Type.Union([
  Type.Literal('not-dead'),
  Type.Literal('does-not-match'),
  Type.Literal('job-not-found'),
  Type.Literal('connection-deleted'),
  Type.Literal('connection-disabled'),
  Type.Literal('type-unknown'),
  Type.Literal('retry-failed')
])
export type SkipReason = Static<typeof SkipReason>

const Count = Type.Integer({ minimum: 0 })
const Skipped = Type.Array(Type.Object({ reason: SkipReason, count: Count }))
const AtMost = Type.Boolean({
  description: `There are more than ${mostRedriven} jobs, and only so many are counted. A redrive takes the oldest`
})

const ByGroup = Type.Array(
  Type.Object({
    connectionId: Nullable(Id),
    connectionName: Nullable(Type.String({ description: 'Null when the connection is deleted' })),
    jobType: Type.String(),
    code: Nullable(Type.String({ description: 'Code of the problem' })),
    count: Count
  }),
  { description: 'The dead jobs by connection, type and problem; the largest group first' }
)
const Sample = Type.Array(Type.Ref(JobView), { description: 'The 10 jobs that would come first' })
const Matched = Type.Integer({ minimum: 0, description: 'Jobs that meet the filter, and those that it names' })

export const RedrivePlan = Type.Object({
  matched: Matched,
  eligible: Type.Integer({ minimum: 0, description: 'Those of them that would run again' }),
  skipped: Skipped,
  byGroup: ByGroup,
  sample: Sample,
  atMost: AtMost
}, { $id: 'RedrivePlan' })
export type RedrivePlan = Static<typeof RedrivePlan>

export const CancelDeadBody = Type.Object({
  filter: RedriveFilter,
  dryRun: Type.Boolean({ default: false, description: 'Changes nothing; answers which jobs would be cancelled' }),
  reason: CancelBody.properties.reason
}, { additionalProperties: false })
export type CancelDeadBody = Static<typeof CancelDeadBody>

export const CancelDeadResult = Type.Object({
  matched: Matched,
  cancelled: Type.Integer({ minimum: 0, description: 'Jobs that are cancelled now; 0 after a dry run' }),
  skipped: Skipped,
  byGroup: ByGroup,
  sample: Sample,
  atMost: Type.Boolean({
    description: `There are more than ${mostRedriven} jobs, and only so many are counted and cancelled: the oldest`
  })
}, { $id: 'CancelDeadResult' })
export type CancelDeadResult = Static<typeof CancelDeadResult>

export const RedriveState = Type.Union([
  Type.Literal('running'),
  Type.Literal('waiting'),
  Type.Literal('stopped'),
  Type.Literal('done')
], {
  description: '`running`: until the last job has ended. `waiting`: the first jobs have ended; continue it or stop it'
})
export type RedriveState = Static<typeof RedriveState>

export const RedriveView = Type.Object({
  id: Id,
  state: RedriveState,
  detail: Type.String({ description: 'For people' }),
  filter: RedriveFilter,
  first: Nullable(Type.Integer()),
  perMinute: Nullable(Type.Integer()),
  total: Type.Integer({ minimum: 0, description: 'Jobs that met the filter when it started' }),
  retried: Type.Integer({ minimum: 0, description: 'Jobs that it has run again' }),
  succeeded: Count,
  deadAgain: Count,
  cancelled: Type.Integer({ minimum: 0, description: 'Jobs that somebody cancelled after it had run them again' }),
  inProgress: Type.Integer({ minimum: 0, description: 'Jobs that it has run again and that have not ended' }),
  skipped: Skipped,
  remaining: Type.Integer({ minimum: 0, description: 'Jobs that it has not reached' }),
  deaths: Type.Array(
    Type.Object({
      code: Nullable(Type.String({ description: 'Code of the problem; null when the job was retried again since' })),
      count: Count,
      sampleJobId: Id
    }),
    { description: 'Of what the jobs died again' }
  ),
  atMost: AtMost,
  startedAt: Type.String({ format: 'date-time' }),
  startedBy: AuditActor,
  endedAt: Nullable(Type.String({ format: 'date-time', description: 'When it was done or stopped' }))
}, { $id: 'Redrive' })
export type RedriveView = Static<typeof RedriveView>

export const RedriveStarted = Type.Object({
  id: Id,
  redriveId: Type.String({ format: 'uuid', deprecated: true, description: 'The old name of `id`' }),
  state: RedriveState,
  total: Type.Integer({ minimum: 0, description: 'Jobs that met the filter; they are fixed now' }),
  atMost: AtMost
}, { $id: 'RedriveStarted' })
export type RedriveStarted = Static<typeof RedriveStarted>

export const RedriveQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })
