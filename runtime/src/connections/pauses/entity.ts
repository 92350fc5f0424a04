import { defineEntity, p } from '@mikro-orm/core'
import type { AuditActor } from '../../audit/schemas.ts'

/**
 * A pause of a connection or of one of its capabilities, as an operator wants it. The jobs follow
 * the hold that stands beside it.
 */
export const ConnectionPause = defineEntity({
  name: 'ConnectionPause',
  tableName: 'connection_pauses',
  properties: {
    connectionId: p.uuid().primary(),
    /** Empty: the whole connection. */
    capability: p.text().primary(),
    reason: p.text().strictNullable(),
    /** Null: until somebody ends it. */
    until: p.datetime().strictNullable(),
    since: p.datetime(),
    pausedBy: p.json<AuditActor>()
  }
})
