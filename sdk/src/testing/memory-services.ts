import { createHash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../context.ts'
import type { CallEffects } from '../host/carrier.ts'
import type { ContextServices, HostServices } from '../host/services.ts'
import { mostConnectionBytes, valueBytes } from '../host/storable.ts'
import type { HttpRequestEvent } from '../http/client.ts'
import {
  createMemoryPlatforms,
  prepareCredentials,
  type ServedPlatform,
  type TestConnection
} from './memory-platform.ts'

export interface TestLogLine {
  level: keyof Log
  fields: object
  message: string
}
export interface TestRequest extends HttpRequestEvent {
  connectionId?: string
}
export interface TestJob {
  id: string
  connectionId: string
  jobType: string
  payload: Readonly<Record<string, unknown>>
  key: string
  delayMs?: number
}

/** The recorded actions of adapters on a test host, oldest first. */
export interface Recorded {
  /** Log lines as the host received them, without secrets. */
  readonly logs: TestLogLine[]
  /** Attempts of requests to platforms. */
  readonly requests: TestRequest[]
  /** Connections that a test opened or a route created. */
  readonly connections: readonly TestConnection[]
  /** Connection id → key → value, without expired values. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Connection id → name → committed position. */
  readonly cursors: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Jobs that calls enqueued, each key once. The host does not run them. */
  readonly jobs: TestJob[]
  /** Connection id → stored credentials. */
  readonly credentials: Readonly<Record<string, unknown>>
  /** Name → total. */
  readonly counts: Readonly<Record<string, number>>
  /** Name → values. */
  readonly observations: Readonly<Record<string, readonly number[]>>
}

export interface MemoryServices {
  services: ContextServices
  /** All services, including those for the routes of a platform. */
  servicesOf(platform: ServedPlatform): HostServices
  recorded: Recorded
  putConnection(connection: TestConnection): void
  /** Stores the effects of a call, as its end does. */
  applyEffects(connectionId: string, effects: CallEffects): void
  /**
   * Stores credentials as an operator does. `prepare` converts them, and those that replace them
   * later, to the adapter's shape, or throws.
   */
  storeCredentials(connectionId: string, value: unknown, prepare?: (value: unknown) => unknown): void
  /** Changes when the credentials are replaced. */
  credentialsVersion(connectionId: string): number
}

interface Stored {
  json: string
  bytes: number
  expiresAtMs: number
}
interface Position {
  value: string
  updatedAt: string
}
interface StoredCredentials {
  value: unknown
  version: number
  prepare(value: unknown): unknown
}

/** Creates every service of a host, in memory. */
export function createMemoryServices (now: () => Date): MemoryServices {
  const values = new Map<string, Map<string, Stored>>()
  const cursors = new Map<string, Map<string, Position>>()
  const locks = new Map<string, { token: string, lapsesAtMs: number }>()
  const credentials = new Map<string, StoredCredentials>()
  const jobs: TestJob[] = []
  const telemetry = recordTelemetry()
  const isAlive = (stored: Stored): boolean => stored.expiresAtMs > now().getTime()

  function storeCredentials (connectionId: string, value: unknown, given?: StoredCredentials['prepare']): void {
    const stored = credentials.get(connectionId)
    const prepare = given ?? stored?.prepare ?? (unchanged => unchanged)
    credentials.set(connectionId, {
      value: structuredClone(prepare(value)),
      version: (stored?.version ?? 0) + 1,
      prepare
    })
  }

  function credentialsOf (connectionId: string): StoredCredentials {
    const stored = credentials.get(connectionId)
    if (stored === undefined) throw new Error(`connection '${connectionId}' has no credentials`)
    return stored
  }

  const services: ContextServices = {
    async readValue (connectionId, key) {
      const stored = values.get(connectionId)?.get(key)
      return stored !== undefined && isAlive(stored) ? JSON.parse(stored.json) : undefined
    },
    async writeValue (connectionId, key, value, ttlSeconds = Infinity) {
      const json = JSON.stringify(value)
      const others = [...memberOf(values, connectionId)].filter(([name, stored]) => name !== key && isAlive(stored))
      const bytes = others.reduce((sum, [, stored]) => sum + stored.bytes, valueBytes(key, json))
      if (bytes > mostConnectionBytes) return false
      const expiresAtMs = now().getTime() + ttlSeconds * 1_000
      memberOf(values, connectionId).set(key, { json, bytes: valueBytes(key, json), expiresAtMs })
      return true
    },
    async deleteValue (connectionId, key) {
      values.get(connectionId)?.delete(key)
    },
    async listValues (connectionId, { prefix, after, limit, order }) {
      const direction = order === 'ascending' ? 1 : -1
      return [...values.get(connectionId) ?? []]
        .filter(([key, stored]) =>
          isAlive(stored) && key.startsWith(prefix) && (after === undefined || compareBytes(key, after) * direction > 0)
        )
        .toSorted(([a], [b]) => compareBytes(a, b) * direction)
        .slice(0, limit)
        .map(([key, { json }]) => ({ key, value: JSON.parse(json) as unknown }))
    },
    readCursor: async (connectionId, name) => cursors.get(connectionId)?.get(name)?.value,
    async listCursors (connectionId) {
      return [...cursors.get(connectionId) ?? []].toSorted(([a], [b]) => compareBytes(a, b)).map(
        ([name, position]) => ({ name, ...position })
      )
    },
    async acquireLock (connectionId, name, leaseMs) {
      const id = JSON.stringify([connectionId, name])
      if ((locks.get(id)?.lapsesAtMs ?? 0) > now().getTime()) return undefined
      const token = randomUUID()
      locks.set(id, { token, lapsesAtMs: now().getTime() + leaseMs })
      return token
    },
    async releaseLock (connectionId, name, token) {
      const id = JSON.stringify([connectionId, name])
      if (locks.get(id)?.token === token) locks.delete(id)
    },
    readCredentials: async connectionId => ({ value: structuredClone(credentialsOf(connectionId).value) }),
    async renewCredentials (connectionId, value, replaces) {
      const isStored = isDeepStrictEqual(credentials.get(connectionId)?.value, replaces)
      if (isStored) storeCredentials(connectionId, value)
      return isStored
    },
    identifyJob: async (connectionId, jobType, key) => jobIdOf(connectionId, jobType, key),
    ...telemetry.services
  }
  const platforms = createMemoryPlatforms({
    now,
    storeCredentials (connectionId, credentials, platform) {
      storeCredentials(connectionId, credentials, value => prepareCredentials(platform, value))
    },
    writeValue (connectionId, key, value) {
      const json = JSON.stringify(value)
      memberOf(values, connectionId).set(key, { json, bytes: valueBytes(key, json), expiresAtMs: Infinity })
    }
  })

  return {
    services,
    servicesOf: platform => ({ ...services, ...platforms.servicesOf(platform) }),
    putConnection: platforms.put,
    recorded: {
      ...telemetry.recorded,
      jobs,
      get connections () {
        return structuredClone([...platforms.connections.values()])
      },
      get values () {
        return plain(
          values,
          stored =>
            plain(new Map([...stored].filter(([, value]) => isAlive(value))), ({ json }) => JSON.parse(json) as unknown)
        )
      },
      get cursors () {
        return plain(cursors, positions => plain(positions, ({ value }) => value))
      },
      get credentials () {
        return plain(credentials, ({ value }) => structuredClone(value))
      },
      get counts () {
        return telemetry.recorded.counts
      },
      get observations () {
        return telemetry.recorded.observations
      }
    },
    applyEffects (connectionId, effects) {
      const updatedAt = now().toISOString()
      for (const [name, value] of Object.entries(effects.cursors)) {
        memberOf(cursors, connectionId).set(name, { value, updatedAt })
      }
      for (const job of effects.jobs) {
        const id = jobIdOf(connectionId, job.jobType, job.key)
        if (!jobs.some(known => known.id === id)) jobs.push({ id, connectionId, ...job })
      }
    },
    storeCredentials,
    credentialsVersion: connectionId => credentialsOf(connectionId).version
  }
}

type Telemetry = 'log' | 'upstream' | 'count' | 'observe'

function recordTelemetry (): {
  services: Pick<HostServices, Telemetry>,
  recorded: Pick<Recorded, 'logs' | 'requests' | 'counts' | 'observations'>
} {
  const logs: TestLogLine[] = []
  const requests: TestRequest[] = []
  const counts = new Map<string, number>()
  const observations = new Map<string, number[]>()
  return {
    services: {
      log (level, fields, message) {
        logs.push({ level, fields, message })
      },
      upstream (event, connectionId) {
        requests.push({ ...event, ...(connectionId === undefined ? {} : { connectionId }) })
      },
      count (name, by) {
        counts.set(name, (counts.get(name) ?? 0) + by)
      },
      observe (name, value) {
        observations.set(name, [...observations.get(name) ?? [], value])
      }
    },
    recorded: {
      logs,
      requests,
      get counts () {
        return plain(counts, total => total)
      },
      get observations () {
        return plain(observations, seen => seen)
      }
    }
  }
}

function jobIdOf (connectionId: string, jobType: string, key: string): string {
  const hash = createHash('sha256').update(JSON.stringify([connectionId, jobType, key])).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-')
}

/**
 * Compares texts like a database with the collation C. JavaScript's own order differs beyond the
 * Basic Multilingual Plane.
 */
function compareBytes (a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function memberOf<Member> (members: Map<string, Map<string, Member>>, connectionId: string): Map<string, Member> {
  const known = members.get(connectionId) ?? new Map<string, Member>()
  members.set(connectionId, known)
  return known
}

function plain<Member, Shown> (
  members: ReadonlyMap<string, Member>,
  show: (member: Member) => Shown
): Record<string, Shown> {
  return Object.fromEntries([...members].map(([name, member]) => [name, show(member)]))
}
