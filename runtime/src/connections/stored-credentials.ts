import { isLabel, type RefreshRefusal } from '@linker/sdk/host'
import { isDeepStrictEqual } from 'node:util'
import type { Registry } from '../adapters/registry.ts'
import { writeValues } from '../adapters/store.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { toStoreFailure } from '../credentials/store-failure.ts'
import type { Database } from '../database/database.ts'
import { standingWith, type Accounts } from './accounts/accounts.ts'
import type { Connection } from './entity.ts'
import { credentialsVersionOf } from './open-connection.ts'
import { setMembers } from './store.ts'
import type { Update } from './update.ts'
import { checkCredentials } from './validate.ts'

export interface StoredCredentialsOptions {
  database: Pick<Database, 'query'>
  update: Update
  accounts: Pick<Accounts, 'askBefore'>
  credentials: Credentials
  registry: Registry
  get(id: string): Promise<Connection>
  now: () => Date
}

/** Values of its `kv` that are stored together with a connection or its credentials. */
export type KeptValues = Readonly<Record<string, unknown>>

export interface ReplaceOptions {
  values?: KeptValues
  expectedVersion?: number | undefined
  /**
   * Refuses when the platform does not name the account: nobody sees which one was authorised, and
   * it must be that of the connection.
   */
  mustKnowAccount?: boolean
}

/** Replaces the credentials that a connection has stored. */
export function createStoredCredentials (options: StoredCredentialsOptions) {
  const { database, update, accounts, credentials, registry, get, now } = options

  /**
   * Asks the adapter outside the transaction: the adapter may be in another thread, and no
   * transaction must wait for it.
   */
  async function check (id: string, value: unknown) {
    const { adapterKey, adapterVersion, config } = await get(id)
    const adapter = registry.resolve(adapterKey, adapterVersion)
    return { adapter, config, checked: await checkCredentials(adapter, value) }
  }

  async function replaceCredentials (
    id: string,
    value: unknown,
    { values = {}, expectedVersion, mustKnowAccount = false }: ReplaceOptions = {}
  ): Promise<Connection> {
    const { adapter, config, checked } = await check(id, value)
    const { account, failure, credentials: plain = checked } = await accounts.askBefore(adapter, config, checked)
    const { connection } = await update(id, async (connection, { em, query }) => {
      if (failure !== undefined && mustKnowAccount && typeof connection.accountId === 'string') throw failure
      const standing = await standingWith(query, connection, account)
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
        ...standing,
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
   * meanwhile. Returns the new version if it stored them.
   */
  async function renewCredentials (id: string, value: unknown, replaces: unknown): Promise<string | undefined> {
    const { checked } = await check(id, value)
    let renewed: string | undefined
    const { isChanged } = await update(id, async (connection, { em, query }) => {
      const { credentialsRef } = connection
      if (typeof credentialsRef !== 'string') return false
      const stored = await credentials.read(query, credentialsRef)
      if (!isDeepStrictEqual(stored.plain, replaces)) return false
      renewed = credentialsVersionOf(credentialsRef, { version: stored.version + 1 })
      await credentials.replace(em, credentialsRef, connection.platformType, checked)
      setMembers(em, connection, { updatedAt: now() })
      // No entry in the audit: adapters renew tokens every few hours, and nobody decides it.
    }, { action: undefined })
    return isChanged ? renewed : undefined
  }

  /** Keeps the platform's refusal to renew the token of a connection. */
  async function refuseRefresh (id: string, refusal: RefreshRefusal): Promise<void> {
    const { credentialsRef } = await get(id)
    if (typeof credentialsRef === 'string') await credentials.refuseRefresh(database.query, credentialsRef, refusal)
  }

  return { replaceCredentials, renewCredentials, refuseRefresh }
}

/**
 * Returns the label for `credentialsRef`: the environment of the connection, when it has one
 * (specification, section 2.3).
 */
export function labelOf ({ environment }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof environment === 'string' && isLabel(environment) ? environment : undefined
}
