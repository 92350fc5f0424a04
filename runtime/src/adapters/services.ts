import type { Log } from '@linker/sdk'
import type { CallEffects, HostServices } from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { Database, Query } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { jobIdOf } from '../jobs/identity.ts'

/** The services that keep something, the same for every adapter. */
export type StateServices = Pick<HostServices, 'readValue' | 'writeValue' | 'deleteValue' | 'readCursor' | 'acquireLock' | 'releaseLock' | 'readCredentials' | 'replaceCredentials' | 'identifyJob'>

export interface StateServicesOptions {
  database: Pick<Database, 'query'>
  readCredentials: HostServices['readCredentials']
  replaceCredentials: HostServices['replaceCredentials']
}

export function createStateServices ({ database, readCredentials, replaceCredentials }: StateServicesOptions): StateServices {
  return {
    async readValue (connectionId, key) {
      const [row] = await database.query<{ value: unknown }>('select value from connection_values where connection_id = $1 and key = $2 and (expires_at is null or expires_at > now())', [connectionId, key])
      return row?.value
    },
    async writeValue (connectionId, key, value, ttlSeconds) {
      await database.query(`
        insert into connection_values (connection_id, key, value, expires_at) values ($1, $2, $3::jsonb, now() + interval '1 second' * $4)
        on conflict (connection_id, key) do update set value = excluded.value, expires_at = excluded.expires_at`, [connectionId, key, JSON.stringify(value), ttlSeconds ?? null])
    },
    async deleteValue (connectionId, key) {
      await database.query('delete from connection_values where connection_id = $1 and key = $2', [connectionId, key])
    },
    async readCursor (connectionId, name) {
      const [row] = await database.query<{ value: string }>('select value from connection_cursors where connection_id = $1 and cursor_key = $2', [connectionId, name])
      return row?.value
    },
    async acquireLock (connectionId, name, leaseMs) {
      const [row] = await database.query<{ token: string }>(`
        insert into connection_locks (connection_id, name, token, lapses_at) values ($1, $2, $3, now() + interval '1 millisecond' * $4)
        on conflict (connection_id, name) do update set token = excluded.token, lapses_at = excluded.lapses_at where connection_locks.lapses_at <= now()
        returning token`, [connectionId, name, randomUUID(), Math.ceil(leaseMs)])
      return row?.token
    },
    async releaseLock (connectionId, name, token) {
      await database.query('delete from connection_locks where connection_id = $1 and name = $2 and token = $3', [connectionId, name, token])
    },
    readCredentials,
    replaceCredentials,
    identifyJob: async (connectionId, jobType, key) => jobIdOf(keyOf(connectionId, jobType, key))
  }
}

/** Stores the cursors of a call, in the transaction that ends it. */
export async function storeCursors (query: Query, connectionId: string, cursors: CallEffects['cursors']): Promise<void> {
  if (Object.keys(cursors).length === 0) return
  await query(`
    insert into connection_cursors (connection_id, cursor_key, value) select $1, key, value from jsonb_each_text($2::jsonb)
    on conflict (connection_id, cursor_key) do update set value = excluded.value, updated_at = now()`, [connectionId, JSON.stringify(cursors)])
}

/** The jobs that a call asked for. */
export function jobRequestsOf (connectionId: string, jobs: CallEffects['jobs'], requestId: string | undefined): JobRequest[] {
  return jobs.map(({ jobType, payload, key }) => ({ jobType, connectionId, payload, idempotencyKey: keyOf(connectionId, jobType, key), ...(requestId === undefined ? {} : { requestId }) }))
}

function keyOf (connectionId: string, jobType: string, key: string): string {
  return `adapter:${connectionId}:${jobType}:${key}`
}

/** What one adapter version is given: the state, and figures and log lines that carry its name. */
export interface Telemetry extends Pick<HostServices, 'count' | 'observe' | 'upstream'> { log: Log }

export function createHostServices (state: StateServices, { log, ...telemetry }: Telemetry): HostServices {
  return { ...state, ...telemetry, log (level, fields, message) { log[level](fields, message) } }
}
