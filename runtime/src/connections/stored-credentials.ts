import { isLabel } from '@linker/sdk/host'
import { isDeepStrictEqual } from 'node:util'
import type { Registry } from '../adapters/registry.ts'
import { writeValues } from '../adapters/store.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { toStoreFailure } from '../credentials/store-failure.ts'
import type { Connection } from './entity.ts'
import { setMembers } from './store.ts'
import type { Update } from './update.ts'
import { checkCredentials } from './validate.ts'

export interface StoredCredentialsOptions {
  update: Update
  credentials: Credentials
  registry: Registry
  get(id: string): Promise<Connection>
  now: () => Date
}

/** Values of its `kv` that are stored together with a connection or its credentials. */
export type KeptValues = Readonly<Record<string, unknown>>

/** Replaces the credentials that a connection has stored. */
export function createStoredCredentials ({ update, credentials, registry, get, now }: StoredCredentialsOptions) {
  /**
   * Asks the adapter outside the transaction: the adapter may be in another thread, and no
   * transaction must wait for it.
   */
  async function check (id: string, value: unknown) {
    const { adapterKey, adapterVersion } = await get(id)
    return checkCredentials(registry.resolve(adapterKey, adapterVersion), value)
  }

  async function replaceCredentials (
    id: string,
    value: unknown,
    { values = {}, expectedVersion }: { values?: KeptValues, expectedVersion?: number | undefined } = {}
  ): Promise<Connection> {
    const plain = await check(id, value)
    const { connection } = await update(id, async (connection, { em, query }) => {
      await writeValues(query, id, values)
      const credentialsRef = await credentials.replace(
        em,
        connection.credentialsRef ?? undefined,
        connection.platformType,
        plain,
        labelOf(connection.config)
      )
      setMembers(em, connection, {
        credentialsRef,
        updatedAt: now(),
        ...(connection.status === 'error' ? { status: 'active', statusReason: null } : {})
      })
    }, { action: 'credentials.replace', isHidden: true, expectedVersion }).catch((error: unknown) => {
      throw toStoreFailure(error)
    })
    return connection
  }

  /**
   * Stores credentials that an adapter made from `replaces`, unless other credentials were stored
   * meanwhile. Returns whether it stored them.
   */
  async function renewCredentials (id: string, value: unknown, replaces: unknown): Promise<boolean> {
    const plain = await check(id, value)
    const { isChanged } = await update(id, async (connection, { em, query }) => {
      const { credentialsRef } = connection
      if (
        typeof credentialsRef !== 'string' ||
        !isDeepStrictEqual((await credentials.read(query, credentialsRef)).plain, replaces)
      ) return false
      await credentials.replace(em, credentialsRef, connection.platformType, plain)
      setMembers(em, connection, { updatedAt: now() })
      // No entry in the audit: adapters renew tokens every few hours, and nobody decides it.
    }, { action: undefined })
    return isChanged
  }

  return { replaceCredentials, renewCredentials }
}

/**
 * Returns the label for `credentialsRef`: the environment of the connection, when it has one
 * (specification, section 2.3).
 */
export function labelOf ({ environment }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof environment === 'string' && isLabel(environment) ? environment : undefined
}
