import { everyPattern } from '@linker/sdk/host/text'
import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../http/schemas.ts'
import { JobStatus } from '../jobs/schemas.ts'

export const ScheduleView = Type.Object({
  connectionId: Id,
  name: Type.String(),
  every: Type.String({
    description: 'Length of a time slot, which gets one job: the value of the operator, else the default'
  }),
  enabled: Type.Boolean(),
  job: Type.String({ description: 'Type of its jobs' }),
  nextAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null while the schedule or its connection is switched off'
  }),
  lastJobId: Type.Optional(Id),
  lastJobStatus: Type.Optional(Type.Union(JobStatus.anyOf, { description: 'Status of that job' }))
}, { $id: 'Schedule' })
export type ScheduleView = Static<typeof ScheduleView>

export const ScheduleQuery = Type.Object({
  connectionId: Type.Optional(Id),
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'Number of connections; each comes with all of its schedules'
  }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })

export const SchedulePatch = Type.Object({
  every: Type
    .Optional(Type.Union([Type.String({ pattern: everyPattern.source }), Type.Null()], {
      description: 'Such as `30s`, `2m`, `6h` or `1d`; null restores the default'
    })),
  enabled: Type.Optional(Type.Boolean())
}, { additionalProperties: false, minProperties: 1 })
export type SchedulePatch = Static<typeof SchedulePatch>
