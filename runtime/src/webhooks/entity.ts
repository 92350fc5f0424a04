import { defineEntity, p } from '@mikro-orm/core'

/** A secret with which a platform may sign the webhooks of a connection. */
export const WebhookSecret = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secrets',
  properties: {
    id: p.uuid().primary(),
    /** Grows with each secret: the newest has the greatest. */
    position: p.bigint('string'),
    connectionId: p.uuid(),
    /** The plain object or, when `encrypted`, its envelope. */
    secretJson: p.json<Record<string, unknown>>(),
    encrypted: p.boolean(),
    createdAt: p.datetime(),
    /** When the platform took it; null before. */
    installedAt: p.datetime().strictNullable(),
    /** Null: valid until a newer one is installed. */
    expiresAt: p.datetime().strictNullable(),
    /** When the hub sent itself a test event after the install. Null: it sent none. */
    pingedAt: p.datetime().strictNullable(),
    /** Why the test event did not arrive. Null: it arrived, or none was sent. */
    pingProblem: p.text().strictNullable(),
    /** The adapter's warning about the install. Null: it gave none. */
    installWarning: p.text().strictNullable(),
    /** When the install ended with the warning. */
    warnedAt: p.datetime().strictNullable()
  }
})
