import { defineEntity, p } from '@mikro-orm/core'
import type { AttentionItem } from '../attention/schemas.ts'

/** A way on which the hub tells people, and how it works. */
export const AlertChannel = defineEntity({
  name: 'AlertChannel',
  tableName: 'alert_channels',
  properties: {
    channel: p.text().primary(),
    /** The next look may begin; until then it belongs to the process that set the time. */
    nextLookAt: p.datetime(),
    lastSentAt: p.datetime().strictNullable(),
    /** Messages that failed one after the other. */
    failures: p.integer(),
    failingSince: p.datetime().strictNullable(),
    /** Why the last message failed. */
    problem: p.text().strictNullable()
  }
})

/** An item that was told on a channel. */
export const AlertTelling = defineEntity({
  name: 'AlertTelling',
  tableName: 'alert_tellings',
  properties: {
    channel: p.text().primary(),
    key: p.text().primary(),
    item: p.json<AttentionItem>(),
    toldAt: p.datetime(),
    /** False: its end was told, too. */
    isOpen: p.boolean()
  }
})
