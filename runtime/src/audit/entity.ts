import { defineEntity, p } from '@mikro-orm/core'
import type { ActorKind } from './actor.ts'
import type { MemberChange } from './list-changes.ts'

/** One change that somebody made, or one refused attempt to read what belongs to another. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: p.uuid().primary(),
    /** By the clock of the database, which all processes share. */
    at: p.datetime(),
    actorKind: p.text().$type<ActorKind>(),
    actorName: p.text(),
    /** Null: the hub's own token, or no token. */
    tokenId: p.uuid().strictNullable(),
    requestId: p.text().strictNullable(),
    /** Such as `connection.disable`, or the method and route of a command. */
    action: p.text(),
    connectionId: p.uuid().strictNullable(),
    objectId: p.text().strictNullable(),
    /** The name that the object had. It stays when the object is gone. */
    objectName: p.text().strictNullable(),
    changes: p.json<readonly MemberChange[]>()
  }
})
