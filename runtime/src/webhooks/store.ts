import type { Sealed } from '../credentials/sealing.ts'
import type { Query } from '../database/database.ts'
import {
  deleteSurplus,
  insertSecret,
  selectFailedPings,
  selectInstallStates,
  selectValidSecrets,
  updateInstalled,
  updatePing
} from './statements.ts'

export interface SecretRow {
  id: string
  connectionId: string
  sealed: Sealed
  createdAt: Date
}

/**
 * Stores a secret of a connection, and removes others until at most `mostValid` are valid. Removes
 * unconfirmed secrets before the installed one: the platform is known to use that.
 */
export async function addSecret (
  query: Query,
  { id, connectionId, sealed: { json, encrypted }, createdAt }: SecretRow,
  mostValid: number
): Promise<void> {
  await query(deleteSurplus, [connectionId, createdAt, mostValid - 1])
  await query(insertSecret, [id, connectionId, JSON.stringify(json), encrypted, createdAt])
}

/** Marks a secret as the platform's; the others of its connection are valid until `othersUntil`. */
export async function storeInstalled (
  query: Query,
  { connectionId, secretId, at, othersUntil }: {
    connectionId: string,
    secretId: string,
    at: Date,
    othersUntil: Date
  }
): Promise<void> {
  await query(updateInstalled, [connectionId, secretId, at, othersUntil])
}

/** Stores when the hub sent a test event after an install, and why the event did not arrive. */
export async function storePing (
  query: Query,
  { secretId, at, problem }: { secretId: string, at: Date, problem: string | null }
): Promise<void> {
  await query(updatePing, [secretId, at, problem])
}

/** A test event of the last install of a connection that did not arrive. */
export interface FailedPing {
  connectionId: string
  /** When the hub sent it, ISO 8601. */
  at: string
  problem: string
}

export async function listFailedPings (query: Query, connectionIds: readonly string[]): Promise<FailedPing[]> {
  return query<FailedPing>(selectFailedPings, [connectionIds])
}

/** State of the secrets of one connection. */
export interface InstallState {
  connectionId: string
  /** Whether the platform took the newest secret. */
  isInstalled: boolean
  /** When the hub made the newest secret that the platform took. */
  madeAtMs: number | null
  /** When the hub sent itself a test event after the platform took that secret, ISO 8601. */
  pingedAt: string | null
  /** Why the test event did not arrive. Null: it arrived, or none was sent. */
  pingProblem: string | null
}

/** Reads the secrets of the connections for which webhooks were ever installed. */
export async function readInstallStates (
  query: Query,
  connectionIds: readonly string[]
): Promise<Map<string, InstallState>> {
  const rows = await query<InstallState>(selectInstallStates, [connectionIds])
  return new Map(rows.map(row => [row.connectionId, row]))
}

/** A secret with which a platform may sign webhooks now, without the secret itself. */
export interface ValidSecret {
  id: string
  connectionId: string
  createdAt: string
  /** When the platform took it. Null: not, as far as the hub knows. */
  installedAt: string | null
  /** Null: until a newer one is installed. */
  expiresAt: string | null
}

/** The secrets of all connections that are valid at a time, the oldest first. */
export async function listValidSecrets (query: Query, now: Date): Promise<ValidSecret[]> {
  return query<ValidSecret>(selectValidSecrets, [now])
}
