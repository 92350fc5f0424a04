import type { AwayAdapter } from '../adapters/away-adapters.ts'
import { listEntries } from '../audit/store.ts'
import type { Connections } from '../connections/connections.ts'
import type { Connection } from '../connections/entity.ts'
import { findConnections, listSummaries } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import { readSettings } from '../schedules/store.ts'
import type { AdapterAway, ConnectionFact } from './items/connection-items.ts'

/** A process of the hub that is alive, and the adapters that do not serve in it. */
export interface ServingProcess {
  host: string
  pid: number
  adaptersAway: readonly AwayAdapter[]
}

/**
 * Lists all processes that are alive: those that lack an adapter count, whichever process looks.
 */
export type ListAway = (this: void, query: Query) => Promise<ServingProcess[]>

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
  { listAway, redactorsOf }: { listAway: ListAway, redactorsOf: Connections['redactorsOf'] }
): Promise<ConnectionFact[]> {
  const settings = (await readSettings(query, connections.map(({ id }) => id))).filter(({ enabled }) => !enabled)
  const off = Map.groupBy(settings, ({ connectionId }) => connectionId)
  const processes = await listAway(query)
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
      adapterAway: awayIn(processes, { adapterKey, adapterVersion }),
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

/** The processes in which the adapter of a connection does not serve; null when there are none. */
export function awayIn (
  processes: readonly ServingProcess[],
  { adapterKey, adapterVersion = null }: Pick<Connection, 'adapterKey' | 'adapterVersion'>
): AdapterAway | null {
  const lacking = processes.flatMap(({ host, pid, adaptersAway }) => {
    const away = adaptersAway.find(named => named.adapterKey === adapterKey && named.adapterVersion === adapterVersion)
    return away === undefined ? [] : [{ host, pid, problem: away.problem }]
  })
  const [first] = lacking
  if (first === undefined) return null
  return { problem: first.problem, processes: lacking, isEverywhere: lacking.length === processes.length }
}
