import { defineEntity, p } from '@mikro-orm/core'

/** The latest time at which a removed order of a marketplace was placed. */
export const OrderRemoval = defineEntity({
  name: 'OrderRemoval',
  tableName: 'order_removals',
  properties: {
    connectionId: p.uuid().primary(),
    placedUntil: p.datetime()
  }
})
