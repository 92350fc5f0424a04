import { createMemoryState, type MemoryState } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { StateServices } from './services.ts'

/** A connection that is not stored, for the test of settings before they are stored. */
export interface Trial {
  readonly connectionId: string
  /** Whether the adapter replaced the given credentials by new ones. */
  hasRenewed(): boolean
  /** Returns the credentials that are valid now. */
  readCredentials(): Promise<Record<string, unknown>>
  /** Drops all that the adapter kept. Its later calls find no connection of this id. */
  end(): void
}

/**
 * Keeps in memory what adapters keep for trials, and passes everything else on to `stored`. An
 * adapter cannot tell a trial from a stored connection.
 */
export function createTrials (stored: StateServices, now: () => Date): {
  services: StateServices,
  /** Whether a trial with this id runs. */
  has(connectionId: string): boolean,
  begin(credentials: unknown): Trial
} {
  const running = new Map<string, MemoryState['services']>()
  const of = (connectionId: string): MemoryState['services'] => running.get(connectionId) ?? stored

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
      refuseRefresh: (id, refusal) => of(id).refuseRefresh(id, refusal),
      identifyJob: stored.identifyJob
    },
    has: id => running.has(id),
    begin (credentials) {
      const connectionId = randomUUID()
      const state = createMemoryState(now)
      state.storeCredentials(connectionId, credentials)
      running.set(connectionId, state.services)
      return {
        connectionId,
        hasRenewed: () => state.credentialsVersion(connectionId) > 1,
        readCredentials: async () =>
          (await state.services.readCredentials(connectionId)).value as Record<string, unknown>,
        end () {
          running.delete(connectionId)
        }
      }
    }
  }
}
