import type { KeyValueStore } from '../context.ts'
import type { HostServices } from './services.ts'
import { checkedList, checkedName, checkedTtl, checkedValue } from './storable.ts'

/** The values of one connection, made of the host's services. */
export function createKeyValueStore (services: Pick<HostServices, 'readValue' | 'writeValue' | 'deleteValue' | 'listValues'>, connectionId: string): KeyValueStore {
  return Object.freeze<KeyValueStore>({
    get: async key => services.readValue(connectionId, checkedName(key)),
    set: async (key, value, { ttlSeconds } = {}) => services.writeValue(connectionId, checkedName(key), checkedValue(value), checkedTtl(ttlSeconds)),
    delete: async key => services.deleteValue(connectionId, checkedName(key)),
    list: async options => services.listValues(connectionId, checkedList(options))
  })
}
