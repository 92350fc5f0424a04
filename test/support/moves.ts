import type { Answer } from './api.ts'
import { countRows } from './count-rows.ts'
import type { Job, TestHub } from './hub.ts'
import { problemOf } from './problem.ts'

export interface Connection {
  id: string
  status: string
  config: Record<string, unknown>
  adapterKey: string
  adapterVersion: string
  capabilities: string[]
}

export interface Side {
  adapterKey: string
  adapterVersion: string
  version: string | null
}

export interface Move {
  from: Side
  to: Side
  changes: {
    config: { pointer: string, from?: unknown, to?: unknown, isSecret?: boolean }[],
    capabilities: { lost: string[], gained: string[] },
    permissions: { grown: string[], dropped: string[] },
    migrations: { from: string, to: string, direction: string, isReversible: boolean }[],
    events: { eventType: string, from?: string, to?: string }[]
  }
  warnings: { pointer: string, code: string, message: string }[]
  applied: boolean
}

/** The steps that tests of adapter moves take at a hub. */
export function createMover (hub: TestHub) {
  return {
    read: async (id: string): Promise<Connection> => (await hub.call('GET', `/connections/${id}`)).json as Connection,
    move: (id: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
      hub.call('POST', `/connections/${id}/adapter`, { body, headers }),
    rollback: (id: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
      hub.call('POST', `/connections/${id}/adapter/rollback`, { headers, ...(body === undefined ? {} : { body }) }),
    /** Starts a job and returns its id. */
    async start (
      connectionId: string,
      externalId: string,
      jobType = 'master.product.syncByExternalId'
    ): Promise<string> {
      const { json, text } = await hub.call('POST', '/jobs', {
        body: { jobType, connectionId, payload: { externalId } }
      })
      const { jobId } = json as { jobId?: string }
      if (jobId === undefined) throw new Error(text)
      return jobId
    },
    end: async (jobId: string): Promise<Job> => (await hub.call('GET', `/jobs/${jobId}?wait=20`)).json as Job,
    async setCursor (connectionId: string, name: string, value: string): Promise<void> {
      await hub.database().query(upsertCursor, [connectionId, name, value])
    },
    cursors: async (connectionId: string): Promise<[string, string][]> =>
      (await hub.database().query<Cursor>(selectCursors, [connectionId])).map(({ key, value }) => [key, value]),
    /** Whether the hub has marked the connection as being moved. */
    async isMoving (connectionId: string): Promise<boolean> {
      const statement = "select true as moving from job_holds where group_id = $1 and reason = 'moving'"
      const [row] = await hub.database().query<{ moving: boolean }>(statement, [connectionId])
      return row?.moving === true
    },
    /** Returns the row count of every table, and all rows of the tables that a move could touch. */
    async state (): Promise<unknown> {
      const database = hub.database()
      const rowsOf = (table: string): Promise<unknown> =>
        database.query(`select to_json(${table}) as row from ${table} order by to_json(${table})::text`)
      const rows = await Promise.all(tablesOfMoves.map(rowsOf))
      return [await countRows(database), ...rows]
    }
  }
}

interface Cursor {
  key: string
  value: string
}

const upsertCursor = `
  insert into connection_cursors (connection_id, cursor_key, value)
  values ($1, $2, $3)
  on conflict (connection_id, cursor_key) do update set value = excluded.value`

const selectCursors = `
  select cursor_key as key, value
  from connection_cursors
  where connection_id = $1
  order by 1`

const tablesOfMoves = [
  'connections',
  'connection_snapshots',
  'connection_cursors',
  'connection_values',
  'connection_locks',
  'integration_credentials'
]

/** Returns the pointer and the code of each reason in a refusal. */
export function reasonsOf (answer: Answer): string[] {
  return (problemOf(answer).errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)
}
