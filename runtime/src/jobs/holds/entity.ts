import { defineEntity, p } from '@mikro-orm/core'

/**
 * Why jobs of a group wait: its connection is not active, moves to another adapter version, or is
 * paused. A group is held as long as any reason stands.
 */
export type HoldReason = 'inactive' | 'moving' | 'paused'

/** A reason why jobs of a group wait. */
export const JobHold = defineEntity({
  name: 'JobHold',
  tableName: 'job_holds',
  properties: {
    groupId: p.uuid().primary(),
    /**
     * Empty: no job of the group begins. A name: jobs begin, and one that needs this part goes back
     * into the queue.
     */
    part: p.text().primary(),
    reason: p.text().$type<HoldReason>().primary(),
    /** Null: it stands until somebody releases it. */
    lapsesAt: p.datetime().strictNullable()
  }
})
