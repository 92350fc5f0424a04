import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'
import { WaitsFor } from '../schemas.ts'

export const GroupedStatus = Type.Union([Type.Literal('dead'), Type.Literal('waiting')], { default: 'dead' })
export type GroupedStatus = Static<typeof GroupedStatus>

export const JobGroup = Type.Object({
  connectionId: Nullable(Id),
  jobType: Type.String(),
  code: Nullable(Type.String({ description: 'Code of the problem; null when the jobs have none' })),
  count: Type.Integer(),
  firstAt: Type.String({ description: 'When the first of them died, or was made when they wait' }),
  lastAt: Type.String({ description: 'When the last of them died, or was made when they wait' }),
  sampleJobId: Type.String({ format: 'uuid', maxLength: 36, description: 'The last of them' })
})
export type JobGroup = Static<typeof JobGroup>

const ShownGroup = Type.Object({
  ...JobGroup.properties,
  reason: Nullable(Type.Unsafe<WaitsFor['reason']>({
    ...WaitsFor.properties.reason,
    description: 'Why the sample waits, as its `waitsFor` says; null when it is dead, or begins now'
  }))
})

export const JobGroups = Type.Object({
  groups: Type.Array(ShownGroup, { description: 'The largest first' }),
  atMost: Type.Boolean({ description: 'There are more than 10 000 jobs, and only so many are counted' })
}, { $id: 'JobGroups' })
export type JobGroups = Static<typeof JobGroups>

/** Groups as they are counted: nothing says yet why their jobs wait. */
export interface CountedGroups extends Pick<JobGroups, 'atMost'> {
  groups: JobGroup[]
}
