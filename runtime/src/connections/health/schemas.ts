import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'
import { Pause } from '../pauses/schemas.ts'

const NullableText = (description: string) => Nullable(Type.String({ description }))
const Hours = (description: string) => Type.Array(Type.Number(), { minItems: 24, maxItems: 24, description })

export const ConnectionHealth = Type.Object({
  id: Id,
  name: Type.String(),
  platformType: Type.String(),
  status: Type.String({ description: 'active, disabled or error' }),
  statusReason: NullableText('Why it is in this status'),
  pauses: Type.Array(Pause, { description: 'The pauses that stand, of the whole connection or of a capability' }),
  breaker: Nullable(Type.Object({
    openedAt: Type.String({ format: 'date-time' }),
    openUntil: Type.String({ format: 'date-time', description: 'When the next call finds out whether it works' })
  }, { description: 'The circuit breaker, while it is not closed: the platform fails and the hub does not call it' })),
  adapterKey: Type.String(),
  adapterVersion: NullableText('Null: the newest one'),
  lastSuccessAt: NullableText('When a job succeeded last, among its 200 newest and those of the last 24 hours'),
  lastFailureAt:
    NullableText('When a run failed last, among the same. One that only had to wait, as for a pause, did not'),
  lastFailureCode: NullableText('Code of the problem of that run'),
  waiting: Type.Integer({ description: 'Jobs that do not run yet; counting stops at 10 000' }),
  dead: Type.Integer({ description: 'Dead jobs, among the 10 000 newest of the hub' }),
  succeededPerHour:
    Hours('Jobs that succeeded, by the hours of UTC, the present one last. The present minute is not in it yet'),
  failedPerHour: Hours('Runs after which the job was dead, or had to wait for another run'),
  createdAt: Type.String()
}, { $id: 'ConnectionHealth' })
export type ConnectionHealth = Static<typeof ConnectionHealth>
