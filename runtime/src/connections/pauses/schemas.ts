import { Type, type Static } from '@sinclair/typebox'
import { AuditActor } from '../../audit/schemas.ts'
import { Nullable } from '../../http/schemas.ts'
import { printable } from '../../text-patterns.ts'

const Capabilities = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'Only these capabilities. Default: the whole connection'
})

/** Why an operator stops a connection. */
export const StopReason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: printable,
  description: 'For colleagues: the connection shows it'
})

export const PauseBody = Type.Object({
  capabilities: Type.Optional(Capabilities),
  reason: Type.Optional(StopReason),
  until: Type.Optional(Type.String({
    format: 'date-time',
    description: 'When the pause ends by itself. Default: it stands until somebody ends it'
  }))
}, { additionalProperties: false })
export type PauseBody = Static<typeof PauseBody>

export const ResumeBody = Type.Object({ capabilities: Type.Optional(Capabilities) }, { additionalProperties: false })
export type ResumeBody = Static<typeof ResumeBody>

export const Pause = Type.Object({
  capability: Nullable(Type.String({ description: 'Null: the whole connection' })),
  reason: Nullable(Type.String()),
  until: Nullable(Type.String({ format: 'date-time', description: 'Null: until somebody ends the pause' })),
  since: Type.String({ format: 'date-time' }),
  by: AuditActor
})
export type Pause = Static<typeof Pause>
