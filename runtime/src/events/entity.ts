import { defineEntity, p } from '@mikro-orm/core'
import type { IgnoredReason } from './event-to-job.ts'

/** An event that was accepted and started no job. */
export const IgnoredEvent = defineEntity({
  name: 'IgnoredEvent',
  tableName: 'ignored_events',
  properties: {
    id: p.bigint('string').primary(),
    deliveryId: p.uuid(),
    provider: p.text(),
    connectionId: p.uuid(),
    eventId: p.text(),
    eventType: p.text(),
    reason: p.text().$type<IgnoredReason>(),
    /** The fields of the event as JSON, without the payload of the sender. */
    event: p.text(),
    /** The fields of the stream message as JSON; null of a test, and when its time is over. */
    message: p.text().strictNullable(),
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
