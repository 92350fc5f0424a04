import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../http/schemas.ts'

const NullableText = Nullable(Type.String())

/** The changed members that `listChanges` finds. */
export const MemberChanges = Type.Array(Type.Object({
  pointer: Type.String(),
  from: Type.Optional(Type.Unknown()),
  to: Type.Optional(Type.Unknown()),
  isSecret: Type.Optional(Type.Boolean())
}, { description: '`from` or `to` is absent when the member is absent there; a secret has neither' }))

/** Who made a change, as the API shows it. */
export const AuditActor = Type.Object({
  kind: Type.Union([Type.Literal('token'), Type.Literal('adapter'), Type.Literal('hub')]),
  name: Type.String({ description: 'The name of the token, `adapterKey@version`, or `hub`' }),
  tokenId: Nullable(Id)
})
export type AuditActor = Static<typeof AuditActor>

export const AuditView = Type.Object({
  id: Id,
  createdAt: Type.String({ format: 'date-time' }),
  actor: AuditActor,
  requestId: Nullable(Type.String({ description: 'The request that made the change; its jobs have the same id' })),
  action: Type.String({ description: 'Such as `connection.disable`, or the method and route of a command' }),
  connectionId: Nullable(Id),
  objectId: NullableText,
  objectName: Nullable(Type.String({ description: 'The name at that time; it stays when the object is gone' })),
  changes: MemberChanges
}, { $id: 'AuditEntry' })
export type AuditView = Static<typeof AuditView>

export const AuditQuery = Type.Object({
  connectionId: Type.Optional(Id),
  actor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The name of the actor' })),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  objectId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The `objectId` of an entry' })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Made at this time or later' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 }))
}, { additionalProperties: false })
