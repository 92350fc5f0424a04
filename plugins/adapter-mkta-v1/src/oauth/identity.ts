import { isAdapterError, type HttpClient, type KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Account, fetchAccount } from './account.ts'

/**
 * The account of a connection and the application that authorised it. Both are kept beside the
 * credentials, because the specification sets the form of the credentials (section 2.3).
 */
export const Identity = Type.Object({ account: Account, clientId: Type.String({ minLength: 1 }) })
export type Identity = Static<typeof Identity>

/** The key of the identity among the connection's values. */
export const identityKey = 'identity'

/** Returns undefined for a connection that was not made by an authorisation. */
export async function readIdentity (kv: Pick<KeyValueStore, 'get'>): Promise<Identity | undefined> {
  const value = await kv.get(identityKey)
  return Value.Check(Identity, value) ? value : undefined
}

/** The key of the account when the connection was made from tokens: its application is unknown. */
const accountKey = 'account'

/** Returns the connection's account, or undefined while nobody has asked the marketplace for it. */
export async function readAccountOf (kv: Pick<KeyValueStore, 'get'>): Promise<Account | undefined> {
  const account = (await readIdentity(kv))?.account ?? await kv.get(accountKey)
  return Value.Check(Account, account) ? account : undefined
}

/**
 * Stores the account that the stored tokens belong to, so that a later authorisation by another
 * account is refused. The connection test does not do this: it may test tokens that are not stored.
 */
export async function rememberAccount (http: HttpClient, kv: KeyValueStore): Promise<void> {
  if (await readAccountOf(kv) !== undefined) return
  try {
    await kv.set(accountKey, await fetchAccount(http))
  } catch (error) {
    // Ignore the failure: the caller does not need the account, and the next caller asks again.
    if (!isAdapterError(error)) throw error
  }
}
