import type { Query } from '../database/database.ts'
import { mergeSetting, selectScheduled } from './statements.ts'

/** The operator's setting of one schedule of one connection. Null keeps the default. */
export interface Setting {
  every: string | null
  enabled: boolean
}

/** An active connection that has schedules, with the operator's settings by name. */
export interface ScheduledConnection {
  id: string
  adapterKey: string
  adapterVersion: string | null
  capabilities: string[]
  settings: Readonly<Record<string, Setting>> | null
}

/**
 * Returns the next active connections, by their ids, that have one of these adapters or
 * capabilities.
 */
export async function listScheduled (
  query: Query,
  { adapterKeys, capabilities, after, limit }: {
    adapterKeys: readonly string[],
    capabilities: readonly string[],
    after: string,
    limit: number
  }
): Promise<ScheduledConnection[]> {
  return query<ScheduledConnection>(selectScheduled, [adapterKeys, after, capabilities, limit])
}

/** Returns the settings of connections. */
export async function readSettings (
  query: Query,
  connectionIds: readonly string[]
): Promise<(Setting & { connectionId: string, name: string })[]> {
  return query<Setting & { connectionId: string, name: string }>(
    `
    select connection_id as "connectionId", name, every, enabled
    from connection_schedules
    where connection_id = any($1::uuid[])`,
    [connectionIds]
  )
}

export interface SettingChange {
  connectionId: string
  name: string
  /** Undefined leaves it alone; null goes back to the default. */
  every: string | null | undefined
  /** Undefined leaves it alone. */
  enabled: boolean | undefined
  /** Stored with the first setting of the schedule, when the change does not say. */
  enabledByDefault: boolean
}

export async function storeSetting (query: Query, change: SettingChange): Promise<void> {
  const { connectionId, name, every, enabled, enabledByDefault } = change
  const values = [connectionId, name, every ?? null, enabled ?? null, every !== undefined, enabledByDefault]
  await query(mergeSetting, values)
}
