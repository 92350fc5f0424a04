import type { CommittedCursor, Log } from '@linker/sdk'
import {
  valueBytes,
  type CallEffects,
  type CheckedListOptions,
  type HostServices,
  type PlatformServices
} from '@linker/sdk/host'
import { randomUUID } from 'node:crypto'
import type { Database, Query } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { createValueRoom } from './value-room.ts'

/** The services that keep something, the same for every adapter. */
export type StateServices = Pick<
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
  | 'identifyJob'
>

export interface StateServicesOptions {
  database: Pick<Database, 'query'>
  readCredentials: HostServices['readCredentials']
  renewCredentials: HostServices['renewCredentials']
}

export function createStateServices ({ database, readCredentials, renewCredentials }:
  StateServicesOptions): StateServices
{
  const room = createValueRoom(database.query)

  /** What a value counts for that is there already. */
  async function readBytes (connectionId: string, key: string): Promise<number> {
    const [row] = await database.query<{ bytes: number }>(
      `
      select octet_length(value::text) as bytes from connection_values
      where connection_id = $1 and key = $2`,
      [connectionId, key]
    )
    return row === undefined ? 0 : valueBytes(key, '') + row.bytes
  }

  return {
    async readValue (connectionId, key) {
      const [row] = await database.query<{ value: unknown }>(
        'select value from connection_values where connection_id = $1 and key = $2 and (expires_at is null or expires_at > now())',
        [connectionId, key]
      )
      return row?.value
    },
    async writeValue (connectionId, key, value, ttlSeconds) {
      const json = JSON.stringify(value)
      const bytes = valueBytes(key, json)
      const hasRoom = await room.has(connectionId, bytes) ||
        await room.has(connectionId, bytes - await readBytes(connectionId, key))
      if (!hasRoom) return false
      const [row] = await database.query<{ replaced: number | null }>(
        `
        with old as (
          select octet_length(value::text) as bytes from connection_values where connection_id = $1 and key = $2)
        insert into connection_values (connection_id, key, value, expires_at) values ($1, $2, $3::jsonb, now() + interval '1 second' * $4)
        on conflict (connection_id, key) do update set value = excluded.value, expires_at = excluded.expires_at
        returning (select bytes from old) as replaced`,
        [connectionId, key, json, ttlSeconds ?? null]
      )
      room.add(connectionId, typeof row?.replaced === 'number' ? Buffer.byteLength(json) - row.replaced : bytes)
      return true
    },
    async deleteValue (connectionId, key) {
      const gone = await database.query<{ bytes: number }>(
        `
        delete from connection_values where connection_id = $1 and key = $2
        returning octet_length(value::text) as bytes`,
        [connectionId, key]
      )
      for (const { bytes } of gone) room.add(connectionId, -valueBytes(key, '') - bytes)
    },
    listValues: (connectionId, options) => listValues(database.query, connectionId, options),
    async readCursor (connectionId, name) {
      const [row] = await database.query<{ value: string }>(
        'select value from connection_cursors where connection_id = $1 and cursor_key = $2',
        [connectionId, name]
      )
      return row?.value
    },
    async listCursors (connectionId) {
      return database.query<CommittedCursor>(
        `
        select cursor_key as name, value, to_char(updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
        from connection_cursors where connection_id = $1 order by cursor_key collate "C"`,
        [connectionId]
      )
    },
    async acquireLock (connectionId, name, leaseMs) {
      const [row] = await database.query<{ token: string }>(
        `
        insert into connection_locks (connection_id, name, token, lapses_at) values ($1, $2, $3, now() + interval '1 millisecond' * $4)
        on conflict (connection_id, name) do update set token = excluded.token, lapses_at = excluded.lapses_at where connection_locks.lapses_at <= now()
        returning token`,
        [connectionId, name, randomUUID(), Math.ceil(leaseMs)]
      )
      return row?.token
    },
    async releaseLock (connectionId, name, token) {
      await database.query('delete from connection_locks where connection_id = $1 and name = $2 and token = $3', [
        connectionId,
        name,
        token
      ])
    },
    readCredentials,
    renewCredentials,
    identifyJob: async (connectionId, jobType, key) => jobIdOf(keyOf(connectionId, jobType, key))
  }
}

/**
 * A range of keys instead of a pattern: nothing in a prefix has a meaning of its own, and the index
 * on the keys' bytes serves it.
 */
async function listValues (
  query: Query,
  connectionId: string,
  { prefix, after, limit, order }: CheckedListOptions
): Promise<{ key: string, value: unknown }[]> {
  const [beyond, direction] = order === 'ascending' ? ['>', 'asc'] : ['<', 'desc']
  return query<{ key: string, value: unknown }>(
    `
    select key, value from connection_values
    where connection_id = $1 and key collate "C" >= $2 and ($3::text is null or key collate "C" < $3) and ($4::text is null or key collate "C" ${beyond} $4)
      and (expires_at is null or expires_at > now())
    order by key collate "C" ${direction} limit $5`,
    [connectionId, prefix, endOfPrefix(prefix) ?? null, after ?? null, limit]
  )
}

/**
 * The first text, by the order of bytes, behind all that start with the prefix; undefined when
 * there is none.
 */
function endOfPrefix (prefix: string): string | undefined {
  const points = Array.from(prefix, character => character.codePointAt(0) ?? 0)
  const last = points.findLastIndex(point => point < 0x10_ffff)
  if (last === -1) return undefined
  const next = (points[last] ?? 0) + 1
  // Halves of surrogate pairs are no characters of their own.
  return String.fromCodePoint(...points.slice(0, last), next === 0xd800 ? 0xe000 : next)
}

/** Stores the cursors of a call, in the transaction that ends it. */
export async function storeCursors (
  query: Query,
  connectionId: string,
  cursors: CallEffects['cursors']
): Promise<void> {
  if (Object.keys(cursors).length === 0) return
  await query(
    `
    insert into connection_cursors (connection_id, cursor_key, value) select $1, key, value from jsonb_each_text($2::jsonb)
    on conflict (connection_id, cursor_key) do update set value = excluded.value, updated_at = now()`,
    [connectionId, JSON.stringify(cursors)]
  )
}

/** The jobs that a call asked for. */
export function jobRequestsOf (
  connectionId: string,
  jobs: CallEffects['jobs'],
  requestId: string | undefined
): JobRequest[] {
  return jobs.map(({ jobType, payload, key, delayMs }) => ({
    jobType,
    connectionId,
    payload,
    idempotencyKey: keyOf(connectionId, jobType, key),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(requestId === undefined ? {} : { requestId })
  }))
}

function keyOf (connectionId: string, jobType: string, key: string): string {
  return `adapter:${connectionId}:${jobType}:${key}`
}

/** What one adapter version is given: the state, and figures and log lines that carry its name. */
export interface Telemetry extends Pick<HostServices, 'count' | 'observe' | 'upstream'> {
  log: Log
}

export function createHostServices (
  kept: StateServices & PlatformServices,
  { log, ...telemetry }: Telemetry
): HostServices {
  return {
    ...kept,
    ...telemetry,
    log (level, fields, message) {
      log[level](fields, message)
    }
  }
}
