import { defineEntity, p } from '@mikro-orm/core'

/** A restore of the state of the hub from a backup. */
export const Restore = defineEntity({
  name: 'Restore',
  tableName: 'restores',
  properties: {
    restoredAt: p.datetime().primary(),
    takenAt: p.datetime()
  }
})
