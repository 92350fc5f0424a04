import { valueBytes, type HostServices } from '@linker/sdk/host'
import type { Query } from '../database/database.ts'
import { listValues, readValue, readValueBytes, removeValue, storeValue } from './store.ts'
import { createValueRoom } from './value-room.ts'

type ValueServices = Pick<HostServices, 'readValue' | 'writeValue' | 'deleteValue' | 'listValues'>

/** Stores the values that adapters keep for a connection, up to a number of bytes. */
export function createValues (query: Query): ValueServices {
  const room = createValueRoom(query)

  /** The bytes that the present value counts for. */
  async function readBytes (connectionId: string, key: string): Promise<number> {
    const bytes = await readValueBytes(query, connectionId, key)
    return bytes === undefined ? 0 : valueBytes(key, '') + bytes
  }

  async function hasRoom (connectionId: string, key: string, bytes: number): Promise<boolean> {
    return await room.has(connectionId, bytes) ||
      room.has(connectionId, bytes - await readBytes(connectionId, key))
  }

  return {
    readValue: (connectionId, key) => readValue(query, connectionId, key),
    async writeValue (connectionId, key, value, ttlSeconds) {
      const json = JSON.stringify(value)
      const bytes = valueBytes(key, json)
      if (!await hasRoom(connectionId, key, bytes)) return false
      const replaced = await storeValue(query, { connectionId, key, json, ttlSeconds })
      room.add(connectionId, replaced === undefined ? bytes : Buffer.byteLength(json) - replaced)
      return true
    },
    async deleteValue (connectionId, key) {
      const bytes = await removeValue(query, connectionId, key)
      if (bytes !== undefined) room.add(connectionId, -valueBytes(key, '') - bytes)
    },
    listValues: (connectionId, options) =>
      listValues(query, connectionId, { ...options, keysEnd: endOfPrefix(options.prefix) })
  }
}

/**
 * Returns the first text, in the order of bytes, after all texts that start with the prefix;
 * undefined when there is none.
 */
function endOfPrefix (prefix: string): string | undefined {
  const points = Array.from(prefix, character => character.codePointAt(0) ?? 0)
  const last = points.findLastIndex(point => point < 0x10_ffff)
  if (last === -1) return undefined
  const next = (points[last] ?? 0) + 1
  // Halves of surrogate pairs are no characters of their own.
  return String.fromCodePoint(...points.slice(0, last), next === 0xd800 ? 0xe000 : next)
}
