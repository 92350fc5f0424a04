import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../http/schemas.ts'
import { jobTypePattern, printable, problemCodePattern, requestIdPattern } from '../text-patterns.ts'

const NullableString = Nullable(Type.String())
export const JobStatus = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('waiting'),
  Type.Literal('succeeded'),
  Type.Literal('dead'),
  Type.Literal('cancelled')
])
export const JobTypeName = Type.String({ pattern: jobTypePattern, maxLength: 100 })

export const WaitsFor = Type.Object({
  reason: Type.Union([
    Type.Literal('connection-disabled'),
    Type.Literal('connection-error'),
    Type.Literal('connection-moving'),
    Type.Literal('connection-paused'),
    Type.Literal('capability-paused'),
    Type.Literal('connection-held'),
    Type.Literal('adapter'),
    Type.Literal('rate-limit'),
    Type.Literal('unavailable'),
    Type.Literal('budget'),
    Type.Literal('circuit-breaker'),
    Type.Literal('retry'),
    Type.Literal('delay'),
    Type.Literal('object'),
    Type.Literal('turn')
  ]),
  detail: Type.String({ description: 'For people' }),
  until: Type.Optional(Type.String({ description: 'When it ends by itself; absent when that is not known' }))
}, { description: 'Why a job does not run yet' })
export type WaitsFor = Static<typeof WaitsFor>

export const UpstreamCall = Type.Object({
  at: Type.String({ description: 'When it was sent' }),
  method: Type.String(),
  path: Type.String({ description: 'Without host and query; secrets of the connection are redacted' }),
  status: Nullable(Type.Integer({ description: 'Null: no answer came' })),
  ms: Type.Integer({ minimum: 0 }),
  error: Type.Optional(Type.String({
    description: 'Code of the failure when no complete answer came, such as `ECONNREFUSED`'
  }))
})

export const JobView = Type.Object({
  id: Id,
  jobType: Type.String(),
  connectionId: NullableString,
  objectKey: Type.String({ description: 'Jobs with the same key work on the same object, one at a time' }),
  idempotencyKey: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
  requestId: NullableString,
  status: JobStatus,
  attempts: Type.Array(Type.Object({
    startedAt: Type.String(),
    finishedAt: Type.String(),
    error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
    calls: Type.Optional(Type.Array(UpstreamCall, {
      description: 'The requests to platforms, each repetition for itself: up to 8 of an attempt that succeeded, 20 ' +
        'of one that failed. `GET /jobs/{id}` shows them, and a list that asks for `calls`'
    })),
    callsLeftOut: Type.Optional(Type.Integer({
      minimum: 1,
      description: 'How many requests in the middle were not kept: `calls` has as many from before as from after them'
    }))
  })),
  result: Type.Unknown(),
  problem: Type.Union([
    Type.Object({ code: Type.String(), message: Type.String(), fields: Type.Optional(Type.Unknown()) }),
    Type.Null()
  ]),
  adapter: Type.Union([Type.String(), Type.Null()], {
    description: '`adapterKey@version` that served the last attempt'
  }),
  coalescedInto: Type.Union([Type.String(), Type.Null()], {
    description: 'The waiting job that runs in place of this one'
  }),
  cancellation: Nullable(Type.Object({
    requestedAt: Type.String(),
    by: Type.String({ description: 'Name of the token' }),
    reason: NullableString
  }, { description: 'Who cancelled the job. It came too late when the job succeeded' })),
  dueAt: Nullable(Type.String({
    description: 'When it may run; null when it runs, has ended or waits for a pause without an end'
  })),
  waitsFor: Nullable(WaitsFor),
  createdAt: Type.String(),
  finishedAt: NullableString
}, { $id: 'Job' })

const idOptions = { format: 'uuid', maxLength: 36 }

export const JobQuery = Type.Object({
  connectionId: Type.Optional(Id),
  jobType: Type.Optional(JobTypeName),
  status: Type.Optional(JobStatus),
  requestId: Type.Optional(Type.String({ pattern: requestIdPattern })),
  code: Type.Optional(Type.String({
    pattern: problemCodePattern,
    description: 'Code of the problem for which the job died, waits or was cancelled'
  })),
  objectKey: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: printable,
    description: 'The `objectKey` of a job: all jobs of its object'
  })),
  offerId: Type.Optional(Type.String({
    ...idOptions,
    description: 'Jobs about this offer alone'
  })),
  orderId: Type.Optional(Type.String({
    ...idOptions,
    description: 'Jobs that tell a shop, a marketplace or a carrier about this order'
  })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Made at this time or later' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Made before this time' })),
  calls: Type.Optional(Type.Boolean({
    description: 'Also shows the requests to platforms. Only with `requestId`, because all jobs would be too many'
  })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })

export const CancelBody = Type.Object({
  reason: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: printable,
    description: 'Shown in the problem of the job and in the audit'
  }))
}, { additionalProperties: false })
