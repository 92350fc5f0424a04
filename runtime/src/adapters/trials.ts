import { mostConnectionBytes, valueBytes } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { StateServices } from './services.ts'

/** A connection that is not stored, for the test of settings before they are stored. */
export interface Trial {
  readonly connectionId: string
  /** Whether the adapter replaced the given credentials by new ones. */
  hasRenewed(): boolean
  /** Drops all that the adapter kept. Its later calls find no connection of this id. */
  end(): void
}

/**
 * Keeps in memory what adapters keep for trials, and passes everything else on to `stored`. An
 * adapter cannot tell a trial from a stored connection.
 */
export function createTrials (stored: StateServices): {
  services: StateServices,
  begin(credentials: unknown): Trial
} {
  const running = new Map<string, StateServices>()
  const of = (connectionId: string): StateServices => running.get(connectionId) ?? stored

  return {
    services: {
      readValue: (id, key) => of(id).readValue(id, key),
      writeValue: (id, key, value, ttlSeconds) => of(id).writeValue(id, key, value, ttlSeconds),
      deleteValue: (id, key) => of(id).deleteValue(id, key),
      listValues: (id, options) => of(id).listValues(id, options),
      readCursor: (id, name) => of(id).readCursor(id, name),
      listCursors: id => of(id).listCursors(id),
      acquireLock: (id, name, leaseMs) => of(id).acquireLock(id, name, leaseMs),
      releaseLock: (id, name, token) => of(id).releaseLock(id, name, token),
      readCredentials: id => of(id).readCredentials(id),
      renewCredentials: (id, value, replaces) => of(id).renewCredentials(id, value, replaces),
      identifyJob: (id, jobType, key) => stored.identifyJob(id, jobType, key)
    },
    begin (credentials) {
      const connectionId = randomUUID()
      let isRenewed = false
      running.set(connectionId, {
        ...createMemory(),
        ...createMemoryLocks(),
        ...createMemoryCredentials(credentials, () => {
          isRenewed = true
        }),
        readCursor: async () => undefined,
        listCursors: async () => [],
        identifyJob: stored.identifyJob
      })
      return {
        connectionId,
        hasRenewed: () => isRenewed,
        end () {
          running.delete(connectionId)
        }
      }
    }
  }
}

type ValueServices = Pick<StateServices, 'readValue' | 'writeValue' | 'deleteValue' | 'listValues'>

/** Values never expire here, because a trial takes seconds. */
function createMemory (): ValueServices {
  const values = new Map<string, string>()
  const parse = (json: string): unknown => JSON.parse(json)

  return {
    async readValue (_id, key) {
      const json = values.get(key)
      return json === undefined ? undefined : parse(json)
    },
    async writeValue (_id, key, value) {
      const json = JSON.stringify(value)
      const others = [...values].filter(([name]) => name !== key)
      const bytes = others.reduce((sum, [name, other]) => sum + valueBytes(name, other), valueBytes(key, json))
      if (bytes > mostConnectionBytes) return false
      values.set(key, json)
      return true
    },
    async deleteValue (_id, key) {
      values.delete(key)
    },
    async listValues (_id, { prefix, after, limit, order }) {
      const direction = order === 'ascending' ? 1 : -1
      return [...values]
        .filter(([key]) => key.startsWith(prefix))
        .filter(([key]) => after === undefined || compareBytes(key, after) * direction > 0)
        .toSorted(([a], [b]) => compareBytes(a, b) * direction)
        .slice(0, limit)
        .map(([key, json]) => ({ key, value: parse(json) }))
    }
  }
}

/** The database orders keys by their bytes. */
function compareBytes (a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Locks do not lapse here: a trial is one call, which releases its locks itself. */
function createMemoryLocks (): Pick<StateServices, 'acquireLock' | 'releaseLock'> {
  const held = new Map<string, string>()
  return {
    async acquireLock (_id, name) {
      if (held.has(name)) return undefined
      const token = randomUUID()
      held.set(name, token)
      return token
    },
    async releaseLock (_id, name, token) {
      if (held.get(name) === token) held.delete(name)
    }
  }
}

function createMemoryCredentials (
  given: unknown,
  onRenewed: () => void
): Pick<StateServices, 'readCredentials' | 'renewCredentials'> {
  let present = given
  return {
    readCredentials: async () => ({ value: structuredClone(present) }),
    async renewCredentials (_id, value, replaces) {
      if (!isDeepStrictEqual(present, replaces)) return false
      present = structuredClone(value)
      onRenewed()
      return true
    }
  }
}
