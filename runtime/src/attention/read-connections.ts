import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import { listEntries } from '../audit/store.ts'
import type { Connections } from '../connections/connections.ts'
import type { Connection } from '../connections/entity.ts'
import { findConnections, listSummaries } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import { readSettings } from '../schedules/store.ts'
import type { ConnectionFact } from './items/connection-items.ts'

// Connections are few.
const mostConnections = 1_000
/** Of so many connections in error the hub looks up since when. */
const mostErrors = 50

export async function listConnections (query: Query): Promise<Connection[]> {
  const ids = (await listSummaries(query)).slice(0, mostConnections).map(({ id }) => id)
  return ids.length === 0 ? [] : findConnections(query, ids)
}

export async function readConnectionFacts (
  query: Query,
  connections: readonly Connection[],
  { registry, redactorsOf }: { registry: Pick<Registry, 'find' | 'explain'>, redactorsOf: Connections['redactorsOf'] }
): Promise<ConnectionFact[]> {
  const settings = (await readSettings(query, connections.map(({ id }) => id))).filter(({ enabled }) => !enabled)
  const off = Map.groupBy(settings, ({ connectionId }) => connectionId)
  const inError = connections.filter(({ status }) => status === 'error').slice(0, mostErrors)
  const since = await readErrorTimes(query, inError)
  const redactorOf = inError.length === 0 ? undefined : await redactorsOf(inError.map(({ id }) => id))
  return connections.map(connection => {
    const { id, name, status, statusReason, pauses, adapterKey, adapterVersion } = connection
    const reason = redactorOf?.(id)(statusReason)
    return {
      id,
      name,
      status,
      statusReason: typeof reason === 'string' ? reason : null,
      errorSince: since.get(id) ?? connection.updatedAt.toISOString(),
      adapterProblem: problemOf(
        registry.find(adapterKey, adapterVersion),
        () => registry.explain(adapterKey, adapterVersion)
      ),
      pauses,
      schedulesOff: (off.get(id) ?? []).map(setting => setting.name).toSorted()
    }
  })
}

async function readErrorTimes (query: Query, connections: readonly Connection[]): Promise<Map<string, string>> {
  const times = new Map<string, string>()
  for (const { id } of connections) {
    const [entry] = await listEntries(query, { connectionId: id, action: 'connection.fail', limit: 1 })
    if (entry !== undefined) times.set(id, entry.createdAt)
  }
  return times
}

/** Why an adapter does not serve now; null when it does. */
function problemOf (adapter: LoadedAdapter | undefined, explain: () => string): string | null {
  if (adapter === undefined) return explain()
  const health = adapter.carrier.health()
  if (health.state === 'ready' || health.state === 'degraded') return null
  return 'message' in health ? health.message : 'The adapter does not run'
}
