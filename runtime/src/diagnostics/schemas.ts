import { Type, type Static } from '@sinclair/typebox'
import { Pause } from '../connections/pauses/schemas.ts'
import { Id, Nullable } from '../http/schemas.ts'
import { JobGroup } from '../jobs/groups/schemas.ts'
import { WaitsFor } from '../jobs/schemas.ts'
import { ScheduleView } from '../schedules/schemas.ts'
import { Traffic } from '../upstream/schemas.ts'
import { WebhookStatus } from '../webhooks/install-schemas.ts'
import { RefusalView } from '../webhooks/refusals/schemas.ts'

const Time = Type.String({ format: 'date-time' })
const NullableText = Nullable(Type.String())

export const Severity = Type.Union([Type.Literal('blocking'), Type.Literal('warning'), Type.Literal('info')], {
  description: '`blocking`: nothing arrives or leaves, or not all; `warning`: look at it; `info`: may explain a silence'
})
export type Severity = Static<typeof Severity>

export const Direction = Type.Union([Type.Literal('in'), Type.Literal('out'), Type.Literal('both')], {
  description: '`in`: what arrives from the platform; `out`: what leaves to it'
})
export type Direction = Static<typeof Direction>

export const Finding = Type.Object({
  code: Type.String({ description: 'Such as `connection-paused`; docs/connections.md of @linker/runtime lists all' }),
  severity: Severity,
  direction: Direction,
  title: Type.String(),
  detail: Type.String({ description: 'One sentence with the figures' }),
  since: Type.Optional(Time),
  count: Type.Optional(Type.Integer()),
  evidence: Type.Optional(Type.Object({
    jobId: Type.Optional(Id),
    deliveryId: Type.Optional(Id),
    at: Type.Optional(Time)
  }, { description: 'Where to look it up' })),
  nextAction: Type.String({ description: 'What to do about it, with the command' })
})
export type Finding = Static<typeof Finding>

export const Run = Type.Object({
  jobId: Id,
  jobType: Type.String(),
  at: Time,
  problem: Nullable(Type.Object({ code: Type.String(), message: Type.String() }))
})
export type Run = Static<typeof Run>

const lastRuns = {
  lastSuccess: Nullable(Run),
  lastFailure: Nullable(Type.Object(Run.properties, {
    description: 'A dead job, or one that failed and waits for another attempt'
  }))
}

export const WaitingView = Type.Object({
  reason: WaitsFor.properties.reason,
  detail: Type.String({ description: 'For people' }),
  jobType: Type.String(),
  code: Nullable(Type.String({ description: 'Code of the problem for which they were put back' })),
  count: Type.Integer(),
  oldestAt: Type.String({ format: 'date-time', description: 'When the oldest was made' }),
  until: Type.Optional(Type.String({
    format: 'date-time',
    description: 'When the first may go on; absent when that is not known'
  })),
  sampleJobId: Type.String({ format: 'uuid', maxLength: 36, description: 'The oldest' })
})
export type WaitingView = Static<typeof WaitingView>

const { connectionId: _ofSchedule, ...scheduleMembers } = ScheduleView.properties

export const Diagnostics = Type.Object({
  connection: Type.Object({
    id: Id,
    name: Type.String(),
    platformType: Type.String(),
    adapterKey: Type.String(),
    adapterVersion: Nullable(Type.String({ description: 'Null: the newest' })),
    status: Type.Union([
      Type.Literal('active'),
      Type.Literal('disabled'),
      Type.Literal('error'),
      Type.Literal('deleted')
    ]),
    statusReason: NullableText
  }),
  checkedAt: Time,
  verdict: Type.String({ description: 'The first finding in one sentence, or that nothing is wrong' }),
  findings: Type.Array(Finding, { description: 'The gravest first' }),
  adapter: Type.Object({
    state: Type.String({
      description: '`ready`, `degraded`, `crashed`, or `missing`, in the process that answers'
    }),
    isolation: Nullable(Type.Union([Type.Literal('inline'), Type.Literal('worker')])),
    message: NullableText
  }),
  pauses: Type.Array(Pause),
  upstream: Nullable(Type.Object(Traffic.properties, {
    description: 'The traffic to the platform. Null: the connection is deleted'
  })),
  arriving: Type.Object({
    lastWebhookAt: Nullable(Time),
    lastPollAt:
      Nullable(Type.String({ format: 'date-time', description: 'When the last reading by a schedule ended' })),
    ...lastRuns
  }),
  leaving: Type.Object(lastRuns),
  waiting: Type.Array(WaitingView, { description: 'Jobs that do not run yet, the largest group first' }),
  dead: Type.Array(JobGroup, { description: 'Dead jobs that were made in the last 7 days, the largest group first' }),
  atMost: Type.Object({
    runs: Type.Boolean({ description: 'Older runs may exist than the 10 000 at which it looked' }),
    waiting: Type.Boolean({ description: 'More jobs wait than the 10 000 of each lane that are counted' }),
    dead: Type.Boolean({ description: 'More jobs are dead than the 10 000 that are counted' })
  }),
  cursors: Type.Array(Type.Object({
    cursorKey: Type.String(),
    updatedAt: Time,
    ageSeconds: Type.Integer()
  })),
  webhooks: Nullable(Type.Object({
    ...WebhookStatus.properties,
    refusals: Type.Array(Type.Object(RefusalView.properties)),
    unknownEvents: Type.Array(
      Type.Object({
        eventType: Type.String(),
        count: Type.Integer(),
        lastAt: Time,
        lastDeliveryId: Id
      }),
      { description: 'Accepted in the last 7 days, but the hub knows no job for this type' }
    )
  }, { description: 'Null: the platform sends none, or the connection is deleted' })),
  schedules: Type.Array(Type.Object(scheduleMembers))
}, { $id: 'Diagnostics' })
export type Diagnostics = Static<typeof Diagnostics>
