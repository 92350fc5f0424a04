import { defineEntity, p } from '@mikro-orm/core'

/** An Idempotency-Key of a route, and the answer that its repetitions get. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    route: p.text().primary(),
    key: p.text().primary(),
    bodyHash: p.text(),
    /** Identifies the work: each repetition does it under the same id. */
    operationId: p.uuid(),
    /** Until then, the first request is under way. */
    leaseUntil: p.datetime(),
    /** The answer is null while there is none. */
    answerStatus: p.integer().strictNullable(),
    answerHeaders: p.json<Record<string, string>>().strictNullable(),
    answerBody: p.text().strictNullable(),
    expiresAt: p.datetime()
  }
})
