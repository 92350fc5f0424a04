import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { HostServices, RefreshRefusal } from './services.ts'
import { mostConnectionBytes, valueBytes } from './storable.ts'

/** The services that keep the state of connections: values, cursors, locks and credentials. */
export type MemoryStateServices = Pick<
  HostServices,
  | 'readValue'
  | 'writeValue'
  | 'deleteValue'
  | 'listValues'
  | 'readCursor'
  | 'listCursors'
  | 'acquireLock'
  | 'releaseLock'
  | 'readCredentials'
  | 'renewCredentials'
  | 'refuseRefresh'
>

export interface MemoryState {
  services: MemoryStateServices
  /** Stores a value without an end, whatever the connection holds already. */
  putValue(connectionId: string, key: string, value: unknown): void
  putCursor(connectionId: string, name: string, value: string): void
  /**
   * Stores credentials as an operator does. `prepare` converts them, and those that replace them
   * later, to the adapter's shape, or throws.
   */
  storeCredentials(connectionId: string, value: unknown, prepare?: (value: unknown) => unknown): void
  /** 1 for the first credentials, and 1 more each time they are replaced. */
  credentialsVersion(connectionId: string): number
  /** Connection id → key → value, without expired values. */
  values(): Record<string, Record<string, unknown>>
  /** Connection id → name → position. */
  cursors(): Record<string, Record<string, string>>
  /** Connection id → credentials. */
  credentials(): Record<string, unknown>
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
  refusal?: RefreshRefusal | undefined
  prepare(value: unknown): unknown
}

/** Keeps the state of connections in memory, by the rules of the hub. */
export function createMemoryState (now: () => Date): MemoryState {
  const values = new Map<string, Map<string, Stored>>()
  const cursors = new Map<string, Map<string, Position>>()
  const locks = new Map<string, { token: string, lapsesAtMs: number }>()
  const credentials = new Map<string, StoredCredentials>()
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

  const services: MemoryStateServices = {
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
    async readCredentials (connectionId) {
      const { value, version, refusal } = credentialsOf(connectionId)
      return { value: structuredClone(value), version: String(version), refusal }
    },
    async renewCredentials (connectionId, value, replaces) {
      if (!isDeepStrictEqual(credentials.get(connectionId)?.value, replaces)) return undefined
      storeCredentials(connectionId, value)
      return String(credentialsOf(connectionId).version)
    },
    async refuseRefresh (connectionId, refusal) {
      credentialsOf(connectionId).refusal = refusal
    }
  }

  return {
    services,
    putValue (connectionId, key, value) {
      const json = JSON.stringify(value)
      memberOf(values, connectionId).set(key, { json, bytes: valueBytes(key, json), expiresAtMs: Infinity })
    },
    putCursor (connectionId, name, value) {
      memberOf(cursors, connectionId).set(name, { value, updatedAt: now().toISOString() })
    },
    storeCredentials,
    credentialsVersion: connectionId => credentialsOf(connectionId).version,
    values: () =>
      plain(
        values,
        stored =>
          plain(new Map([...stored].filter(([, value]) => isAlive(value))), ({ json }) => JSON.parse(json) as unknown)
      ),
    cursors: () => plain(cursors, positions => plain(positions, ({ value }) => value)),
    credentials: () => plain(credentials, ({ value }) => structuredClone(value))
  }
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

/** Copies a map into an object. */
export function plain<Member, Shown> (
  members: ReadonlyMap<string, Member>,
  show: (member: Member) => Shown
): Record<string, Shown> {
  return Object.fromEntries([...members].map(([name, member]) => [name, show(member)]))
}
