import { countRows } from '../database/count-rows.ts'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { isGuarded } from './state.ts'
import { countStates, deleteStates, selectClock, selectGuarded, selectStates, storeStates } from './statements.ts'
import type { UpstreamState } from './stored-state.ts'

/** A state and its version, which grows with each change. */
export interface Versioned {
  id: string
  version: number
  state: UpstreamState
}

export interface Attempt {
  id: string
  isStored: boolean
  /** The version before this statement; null if there was no row. */
  version: number | null
  state: UpstreamState | null
  /** The time by the clock of the database. */
  nowMs: number
}

/** Stores each state whose version follows the stored one. Returns for each the row before. */
export async function tryStates (query: Query, states: readonly Versioned[]): Promise<Attempt[]> {
  return query<Attempt>(storeStates, [
    toStorableJson(states.map(({ id, version, state }) => ({ id, version, state, isGuarded: isGuarded(state) })))
  ])
}

/** Reads the state of a connection, and the time by the clock of the database. */
export async function readState (query: Query, connectionId: string): Promise<{ state: UpstreamState, nowMs: number }> {
  const [row] = await query<Versioned & { nowMs: number }>(selectStates, [[connectionId]])
  return row ?? { state: {}, nowMs: Date.now() }
}

export async function readGuarded (query: Query, most: number): Promise<Versioned[]> {
  return query<Versioned>(selectGuarded, [most])
}

export async function readClock (query: Query): Promise<number> {
  const [row] = await query<{ nowMs: number }>(selectClock)
  return row?.nowMs ?? Date.now()
}

/** The rows of a connection that is deleted. */
export const statesOfConnection = {
  what: 'states of the traffic to the platform',
  count: (query: Query, connectionId: string): Promise<number> => countRows(query, countStates, [connectionId]),
  async remove (query: Query, connectionId: string): Promise<void> {
    await query(deleteStates, [connectionId])
  }
}
