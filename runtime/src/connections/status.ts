import type { Credentials } from '../credentials/credentials.ts'
import type { Query } from '../database/database.ts'
import type { UsedCredentials } from '../jobs/refused-credentials.ts'
import type { Connection } from './entity.ts'
import { credentialsVersionOf } from './open-connection.ts'
import { setMembers } from './store.ts'
import type { Update } from './update.ts'

export interface StatusOptions {
  update: Update
  credentials: Credentials
  now: () => Date
}

/**
 * Changes whether a connection works, after a request of the operator or an answer of the platform.
 */
export function createStatusChanges ({ update, credentials, now }: StatusOptions) {
  /**
   * Disables a connection, also one in `error`, whose reason is then forgotten. A connection that
   * is already disabled gets the new reason, if there is one.
   */
  async function disable (
    id: string,
    { reason, expectedVersion }: { reason?: string | undefined, expectedVersion?: number | undefined } = {}
  ): Promise<Connection> {
    // The change is announced for a connection that was already disabled, too: an earlier request
    // may have committed and then failed before the webhook gate learned of it.
    const { connection } = await update(id, (connection, { em }) => {
      if (connection.status === 'disabled' && (reason === undefined || reason === connection.statusReason)) return
      setMembers(em, connection, { status: 'disabled', statusReason: reason ?? null, updatedAt: now() })
    }, { action: 'connection.disable', expectedVersion })
    return connection
  }

  /**
   * Makes a disabled connection active, also one that was in `error` before. A connection in
   * another status stays as it is.
   */
  async function enable (id: string, expectedVersion?: number): Promise<Connection> {
    // Announced in any case, for the reason that `disable` has.
    const { connection } = await update(id, (connection, { em }) => {
      if (connection.status !== 'disabled') return
      setMembers(em, connection, { status: 'active', statusReason: null, updatedAt: now() })
    }, { action: 'connection.enable', expectedVersion })
    return connection
  }

  /** The platform accepted the credentials: a connection in status `error` becomes active again. */
  async function resume (id: string): Promise<void> {
    await update(id, (connection, { em }) => {
      if (connection.status !== 'error') return false
      setMembers(em, connection, { status: 'active', statusReason: null, updatedAt: now() })
    }, { action: 'connection.recover' })
  }

  /**
   * The platform refused the credentials: an active connection gets the status `error`. The status
   * stays when other credentials are stored by now: they may be good, and then nothing would make
   * the connection active again.
   */
  async function suspend ({ connectionId, credentialsVersion }: UsedCredentials, reason: string): Promise<void> {
    await update(connectionId, async (connection, { em, query }) => {
      if (connection.status !== 'active' || credentialsVersion !== await versionOf(query, connection)) return false
      setMembers(em, connection, { status: 'error', statusReason: reason, updatedAt: now() })
    }, { action: 'connection.fail' })
  }

  async function versionOf (query: Query, { credentialsRef }: Connection): Promise<string> {
    return credentialsVersionOf(
      credentialsRef,
      typeof credentialsRef === 'string' ? await credentials.read(query, credentialsRef) : undefined
    )
  }

  return { disable, enable, resume, suspend }
}
