import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'

const NullableText = (description: string) => Nullable(Type.String({ description }))
const Hours = (description: string) => Type.Array(Type.Number(), { minItems: 24, maxItems: 24, description })

export const ConnectionHealth = Type.Object({
  id: Id,
  name: Type.String(),
  platformType: Type.String(),
  status: Type.String({ description: 'active, disabled or error' }),
  statusReason: NullableText('Why it is in this status'),
  adapterKey: Type.String(),
  adapterVersion: NullableText('Null: the newest one'),
  lastSuccessAt: NullableText('When a job succeeded last, among its 200 newest and those of the last 24 hours'),
  lastFailureAt: NullableText('When a run failed last, among the same'),
  lastFailureCode: NullableText('Code of the problem, when the run is one of the 200 newest jobs'),
  waiting: Type.Integer({ description: 'Jobs that do not run yet; counting stops at 10 000' }),
  dead: Type.Integer({ description: 'Dead jobs, among the 10 000 newest of the hub' }),
  succeededPerHour:
    Hours('Jobs that succeeded, by the hours of UTC, the present one last. The present minute is not in it yet'),
  failedPerHour: Hours('Runs after which the job was dead, or had to wait for another run'),
  createdAt: Type.String()
}, { $id: 'ConnectionHealth' })
export type ConnectionHealth = Static<typeof ConnectionHealth>
