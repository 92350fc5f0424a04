import type { FastifyBaseLogger } from 'fastify'
import { nameOf } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import type { Query } from '../database/database.ts'
import { keptOf } from './adapter-for.ts'
import { countPins, writeKept } from './store.ts'

/**
 * Copies what connections keep of their adapters once more. A connection that follows a range or
 * `latest` runs on a newer version after an installation, and must check and map webhooks and hide
 * secrets as this version does. During an update of several processes, the last one to start
 * decides.
 */
export async function refreshKeptFacts (
  query: Query,
  registry: Pick<Registry, 'find'>,
  log: Pick<FastifyBaseLogger, 'info'>
): Promise<void> {
  for (const pin of await countPins(query)) {
    const adapter = registry.find(pin.adapterKey, pin.adapterVersion)
    if (adapter === undefined) continue
    const connections = await writeKept(query, pin, keptOf(adapter))
    if (connections > 0) {
      log.info(
        { connections, adapter: nameOf(adapter) },
        'connections take over webhook events and secret members of the installed adapter version'
      )
    }
  }
}
