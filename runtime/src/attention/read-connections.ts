import type { ServingProcess } from '../adapters/away-adapters.ts'
import { listEntries } from '../audit/store.ts'
import type { Connections } from '../connections/connections.ts'
import type { Connection } from '../connections/entity.ts'
import { findOldestConnections } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import { readSettings } from '../schedules/store.ts'
import type { AdapterAway, ConnectionFact } from './items/connection-items.ts'

/**
 * Lists all processes that are alive: those that lack an adapter count, whichever process looks.
 */
export type ListAway = (this: void, query: Query) => Promise<ServingProcess[]>

// Connections are few.
const mostConnections = 1_000
/**
 * The hub looks up since when at most so many connections are in error, and quotes the texts of the
 * platforms and adapters of at most so many: for each it reads the credentials, which a text may
 * hold.
 */
const mostQuoted = 50

export async function listConnections (query: Query): Promise<Connection[]> {
  return findOldestConnections(query, mostConnections)
}

export async function readConnectionFacts (
  query: Query,
  connections: readonly Connection[],
  { listAway, redactorsOf }: { listAway: ListAway, redactorsOf: Connections['redactorsOf'] }
): Promise<ConnectionFact[]> {
  const settings = (await readSettings(query, connections.map(({ id }) => id))).filter(({ enabled }) => !enabled)
  const off = Map.groupBy(settings, ({ connectionId }) => connectionId)
  const processes = await listAway(query)
  const away = new Map(connections.flatMap(connection => {
    const found = awayIn(processes, connection)
    return found === null ? [] : [[connection.id, found]]
  }))
  const inError = connections.filter(({ status }) => status === 'error').slice(0, mostQuoted)
  const since = await readErrorTimes(query, inError)
  const quote = await openQuotes(redactorsOf, [
    ...inError,
    ...connections.filter(({ id, status }) => status !== 'disabled' && away.has(id)).slice(0, mostQuoted)
  ])
  const holders =
    new Map(connections.flatMap(connection =>
      typeof connection.accountShared === 'string' ? [] : [[accountOf(connection), connection] as const]
    ))
  return connections.map(connection => {
    const { id, name, status, statusReason, accountShared, pauses } = connection
    const adapterAway = away.get(id) ?? null
    return {
      id,
      name,
      status,
      statusReason: quote(id, statusReason ?? null),
      errorSince: since.get(id) ?? connection.updatedAt.toISOString(),
      adapterAway: adapterAway === null ? null : { ...adapterAway, problem: quote(id, adapterAway.problem) },
      ordersTakenBy: accountShared === 'found' ? holders.get(accountOf(connection)) ?? null : null,
      pauses,
      schedulesOff: (off.get(id) ?? []).map(setting => setting.name).toSorted()
    }
  })
}

function accountOf ({ id, platformType, accountId }: Connection): string {
  return typeof accountId === 'string' ? `${platformType} ${accountId}` : id
}

/**
 * Returns the function that takes over a text of a platform or an adapter: without the secrets of
 * its connection, as the API shows it. An alert takes the text out of the house, so the function
 * leaves out the texts of all connections but these.
 */
async function openQuotes (
  redactorsOf: Connections['redactorsOf'],
  connections: readonly Connection[]
): Promise<(connectionId: string, text: string | null) => string | null> {
  const quoted = new Set(connections.map(({ id }) => id))
  if (quoted.size === 0) return () => null
  const redactorOf = await redactorsOf([...quoted])
  return (id, text) => text === null || !quoted.has(id) ? null : String(redactorOf(id)(text))
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
