import { defineEntity, p } from '@mikro-orm/core'

/** The operator's changes of a schedule of a connection. */
export const ConnectionSchedule = defineEntity({
  name: 'ConnectionSchedule',
  tableName: 'connection_schedules',
  properties: {
    connectionId: p.uuid().primary(),
    name: p.text().primary(),
    /** Null: the interval of the adapter or of the hub. */
    every: p.text().strictNullable(),
    enabled: p.boolean()
  }
})
