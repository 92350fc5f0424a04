import { defineEntity, p } from '@mikro-orm/core'

/** An event that was accepted and started no job. */
export const IgnoredEvent = defineEntity({
  name: 'IgnoredEvent',
  tableName: 'ignored_events',
  properties: {
    id: p.bigint('string').primary(),
    connectionId: p.uuid(),
    eventId: p.text(),
    eventType: p.text(),
    /** The fields of the stream message as JSON. */
    message: p.text(),
    ignoredAt: p.datetime()
  }
})

/** The last delivery of a connection that the hub accepted. */
export const WebhookReceipt = defineEntity({
  name: 'WebhookReceipt',
  tableName: 'webhook_receipts',
  properties: {
    connectionId: p.uuid().primary(),
    deliveredAt: p.datetime(),
    eventType: p.text(),
    /** Null: the event started no job. */
    jobId: p.uuid().strictNullable()
  }
})
