import { defineEntity, p } from '@mikro-orm/core'

/**
 * Says how far a connection has read a listing of its platform. The cursors of the hub's own
 * readings stand beside those of adapters, so that all of them move with a connection to another
 * adapter version, and back.
 */
export const ConnectionCursor = defineEntity({
  name: 'ConnectionCursor',
  tableName: 'connection_cursors',
  properties: {
    connectionId: p.uuid().primary(),
    cursorKey: p.text().primary(),
    value: p.text(),
    updatedAt: p.datetime()
  }
})

/** The adapter key that served a platform first. It stays the default of the platform. */
export const PlatformDefault = defineEntity({
  name: 'PlatformDefault',
  tableName: 'platform_defaults',
  properties: {
    platformType: p.text().primary(),
    adapterKey: p.text()
  }
})

/** A lock of an adapter. It lapses, because its holder may die. */
export const ConnectionLock = defineEntity({
  name: 'ConnectionLock',
  tableName: 'connection_locks',
  properties: {
    connectionId: p.uuid().primary(),
    name: p.text().primary(),
    /** Only the holder knows it. */
    token: p.uuid(),
    lapsesAt: p.datetime()
  }
})

/** A value that an adapter keeps for a connection. */
export const ConnectionValue = defineEntity({
  name: 'ConnectionValue',
  tableName: 'connection_values',
  properties: {
    connectionId: p.uuid().primary(),
    key: p.text().primary(),
    value: p.json<unknown>(),
    expiresAt: p.datetime().strictNullable()
  }
})
