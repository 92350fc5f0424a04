import { defineEntity, p } from '@mikro-orm/core'

/**
 * Why no job of a group begins: its connection is not active, or it moves to another adapter
 * version. A group is held as long as any reason stands.
 */
export type HoldReason = 'inactive' | 'moving'

/** A reason why no job of a group begins. */
export const JobHold = defineEntity({
  name: 'JobHold',
  tableName: 'job_holds',
  properties: {
    groupId: p.uuid().primary(),
    reason: p.text().$type<HoldReason>().primary(),
    /** Null: it stands until somebody releases it. */
    lapsesAt: p.datetime().strictNullable()
  }
})
