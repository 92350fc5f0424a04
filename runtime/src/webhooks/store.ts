import type { Sealed } from '../credentials/sealing.ts'
import type { Query } from '../database/database.ts'
import {
  deleteSurplus,
  insertSecret,
  selectDoubtfulInstalls,
  selectInstalledSecret,
  selectInstallStates,
  selectValidSecrets,
  updateInstalled,
  updateOutcome,
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

/** How an install ended. Times are ISO 8601. */
export interface InstallOutcome {
  /** When the hub sent itself a test event after the platform took the secret. */
  pingedAt: string | null
  /** Why the test event did not arrive. Null: it arrived, or none was sent. */
  pingProblem: string | null
  /** The adapter's warning. */
  installWarning: string | null
  /** When the install ended with the warning. */
  warnedAt: string | null
}

export async function storeOutcome (
  query: Query,
  secretId: string,
  { pingedAt, pingProblem, installWarning, warnedAt }: InstallOutcome
): Promise<void> {
  await query(updateOutcome, [secretId, pingedAt, pingProblem, installWarning, warnedAt])
}

/** Stores how a later test event ended that was signed with the same secret. */
export async function storePing (
  query: Query,
  secretId: string,
  { pingedAt, pingProblem }: Pick<InstallOutcome, 'pingedAt' | 'pingProblem'>
): Promise<void> {
  await query(updatePing, [secretId, pingedAt, pingProblem])
}

/** The secret that the platform of a connection took last. Undefined: none that is valid. */
export async function findInstalledSecret (
  query: Query,
  connectionId: string,
  now: Date
): Promise<Sealed & { id: string } | undefined> {
  const [found] = await query<Sealed & { id: string }>(selectInstalledSecret, [connectionId, now])
  return found
}

/** The last install of a connection, which ended with a problem or a warning. */
export interface DoubtfulInstall extends InstallOutcome {
  connectionId: string
}

export async function listDoubtfulInstalls (
  query: Query,
  connectionIds: readonly string[]
): Promise<DoubtfulInstall[]> {
  return query<DoubtfulInstall>(selectDoubtfulInstalls, [connectionIds])
}

/** State of the secrets of one connection. */
export interface InstallState extends InstallOutcome {
  connectionId: string
  /** Whether the platform took the newest secret. */
  isInstalled: boolean
  /** When the hub made the newest secret that the platform took. */
  madeAtMs: number | null
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
