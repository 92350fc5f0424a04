import type { KeyValueStore } from '../context.ts'
import { RejectedError } from '../errors.ts'
import type { HostServices } from './services.ts'
import { checkedList, checkedName, checkedTtl, checkedValue, mostConnectionBytes } from './storable.ts'

/** Creates the key-value store of one connection from the host's services. */
export function createKeyValueStore (
  services: Pick<HostServices, 'readValue' | 'writeValue' | 'deleteValue' | 'listValues'>,
  connectionId: string
): KeyValueStore {
  return Object.freeze<KeyValueStore>({
    get: async key => services.readValue(connectionId, checkedName(key)),
    async set (key, value, { ttlSeconds } = {}) {
      const checked = [checkedName(key), checkedValue(value), checkedTtl(ttlSeconds)] as const
      if (await services.writeValue(connectionId, ...checked)) return
      const most = `at most ${mostConnectionBytes} bytes together`
      throw new RejectedError(`the values of a connection have ${most}: delete some, or give them ttlSeconds`)
    },
    delete: async key => services.deleteValue(connectionId, checkedName(key)),
    list: async options => services.listValues(connectionId, checkedList(options))
  })
}
