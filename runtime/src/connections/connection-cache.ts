import type { WebhookBodyForm } from '@linker/sdk'
import pTimeout from 'p-timeout'
import type { Sealed } from '../credentials/sealing.ts'
import { DatabaseUnavailableError } from '../errors.ts'
import type { ConnectionStatus, WebhookRules, WebhookScheme } from './entity.ts'

/** A secret that webhook install made, as it is stored. */
export interface StoredSecret extends Sealed {
  id: string
  expiresAtMs: number | null
}

/**
 * A connection as the gate sees it. `epoch` is its version: the stream refuses an event that was
 * checked against another version.
 */
export interface WebhookConnection {
  id: string
  platformType: string
  status: ConnectionStatus
  epoch: number
  adapterKey: string
  adapterVersion: string | null
  webhookScheme: WebhookScheme
  /** Event type → job type; null: the mapping of the specification. */
  webhookEvents: Readonly<Record<string, string>> | null
  /** How to read a body in the platform's own form; null: the platform sends no such bodies. */
  webhookBody: WebhookBodyForm | null
  /** How the platform proves and writes its deliveries; null: as the hub defines it. */
  webhookRules: WebhookRules | null
  /** Member of the config. Some platforms sign the address that they were given. */
  callbackBaseUrl: unknown
  /** The members of the config that `webhookRules.challenges` names as tokens; null: none. */
  challengeTokens: Readonly<Record<string, unknown>> | null
  /**
   * Read in the same query as the connection. So the secrets stay known while the database is away,
   * and a new secret arrives together with the new version.
   */
  webhookSecrets: readonly StoredSecret[]
}

export interface ConnectionCache {
  /**
   * Reads the connection from memory, else from the database; null when it does not exist. While
   * the database is away, a connection that is in memory and not disabled is still found, and any
   * other id rejects.
   */
  find(id: string): Promise<WebhookConnection | null>
  /** Reads the connection from the database, even when it is in memory. */
  refresh(id: string): Promise<WebhookConnection | null>
}

export interface ConnectionCacheOptions {
  load: (id: string) => Promise<WebhookConnection | null>
  now: () => number
  /** Longest wait for the database: a sender gives up after 5 s and must have its answer before. */
  loadTimeoutMs?: number
}

const freshMs = 30_000
// Remember refusals only briefly: the connection may be enabled the next moment, and senders delete
// subscriptions that are answered 404.
const refusedMs = 1_000
const retryMs = 1_000
const mostKnown = 20_000
const mostMissing = 1_000

interface Known {
  connection: WebhookConnection
  staleAt: number
}

export function createConnectionCache ({ load, now, loadTimeoutMs = 3_000 }: ConnectionCacheOptions): ConnectionCache {
  const known = new Map<string, Known>()
  const missing = new Map<string, { staleAt: number }>()
  const loading = new Map<string, Promise<WebhookConnection | null>>()

  async function fetch (id: string): Promise<WebhookConnection | null> {
    const connection = await pTimeout(load(id), {
      milliseconds: loadTimeoutMs,
      fallback () {
        throw new DatabaseUnavailableError()
      }
    })
    known.delete(id)
    missing.delete(id)
    if (connection === null) withRoom(missing, mostMissing).set(id, { staleAt: now() + refusedMs })
    else {
      withRoom(known, mostKnown).set(id, {
        connection,
        staleAt: now() + (connection.status === 'disabled' ? refusedMs : freshMs)
      })
    }
    return connection
  }

  function fetchOnce (id: string): Promise<WebhookConnection | null> {
    const running = loading.get(id)
    if (running !== undefined) return running
    const started = fetch(id).finally(() => {
      loading.delete(id)
    })
    loading.set(id, started)
    return started
  }

  /**
   * Looks a connection up again while requests use the known one, so that no sender waits. An old
   * copy does no harm: the stream compares its epoch and refuses the event.
   */
  function revalidate (id: string, entry: Known): void {
    entry.staleAt = now() + retryMs
    fetchOnce(id).catch(() => undefined)
  }

  return {
    async refresh (id) {
      // A look-up that already runs may have read the row before the change that the caller asks
      // about.
      await loading.get(id)?.catch(() => undefined)
      return fetchOnce(id)
    },
    async find (id) {
      const entry = known.get(id)
      const isStale = (entry ?? missing.get(id) ?? { staleAt: 0 }).staleAt <= now()
      if (!isStale) return entry?.connection ?? null
      if (entry === undefined || entry.connection.status === 'disabled') return fetchOnce(id)
      revalidate(id, entry)
      return entry.connection
    }
  }
}

/** Drops the oldest entry of a full map. */
function withRoom<Value> (map: Map<string, Value>, most: number): Map<string, Value> {
  const [oldest] = map.keys()
  if (map.size >= most && oldest !== undefined) map.delete(oldest)
  return map
}
