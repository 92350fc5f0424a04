import { defineEntity, p } from '@mikro-orm/core'

/** How often deliveries of a connection were refused with a code. */
export const WebhookRefusal = defineEntity({
  name: 'WebhookRefusal',
  tableName: 'webhook_refusals',
  properties: {
    connectionId: p.uuid().primary(),
    code: p.text().primary(),
    count: p.bigint('string'),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
    /** The explanation in the last answer; null when it could repeat what the sender sent. */
    lastDetail: p.text().strictNullable()
  }
})
