import { defineEntity, p } from '@mikro-orm/core'

/** A message of a stream whose driver is the database. */
export const StreamMessage = defineEntity({
  name: 'StreamMessage',
  tableName: 'stream_messages',
  properties: {
    id: p.bigint('string').primary(),
    stream: p.text(),
    /** A second message with this key is not published; null: every message is. */
    key: p.text().strictNullable(),
    fields: p.json<Record<string, string>>().columnType('json'),
    /** The connection of the message, by which the size of its backlog is bounded. */
    connection: p.text().strictNullable(),
    publishedAt: p.datetime(),
    expiresAt: p.datetime(),
    /** The consumer that has it; null before its first delivery. */
    consumer: p.text().strictNullable(),
    deliveredAt: p.datetime().strictNullable(),
    deliveries: p.integer(),
    ackedAt: p.datetime().strictNullable()
  }
})
