import { defineEntity, p } from '@mikro-orm/core'

/** The counts of one process in a minute, or of all processes in an hour. */
export const Figure = defineEntity({
  name: 'Figure',
  tableName: 'figures',
  properties: {
    id: p.bigint('string').primary(),
    beginsAt: p.datetime(),
    seconds: p.integer(),
    /** Null: the row has the sum of all processes. */
    process: p.uuid().strictNullable(),
    /** Null: the row has the sum of all connections and of what belongs to none. */
    connectionId: p.uuid().strictNullable(),
    /** The adapter that served the connection last. */
    adapter: p.text().strictNullable(),
    counts: p.json<Record<string, number>>()
  }
})

/** The live jobs of a connection at one time, or the most of them in an hour. */
export const Sample = defineEntity({
  name: 'Sample',
  tableName: 'samples',
  properties: {
    id: p.bigint('string').primary(),
    beginsAt: p.datetime(),
    seconds: p.integer(),
    /** Null: the whole hub. */
    connectionId: p.uuid().strictNullable(),
    queued: p.integer(),
    waiting: p.integer(),
    running: p.integer(),
    oldestSeconds: p.double(),
    /** Null: not counted at that time. */
    drift: p.integer().strictNullable()
  }
})
