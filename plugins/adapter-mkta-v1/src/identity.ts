import { isAdapterError, type HttpClient, type KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Account, parseAccount } from './account.ts'

/**
 * Whose connection it is, and by which application it was authorised: both are beside the
 * credentials, whose form the specification sets (section 2.3).
 */
export const Identity = Type.Object({ account: Account, clientId: Type.String({ minLength: 1 }) })
export type Identity = Static<typeof Identity>

/** Where it is kept among the values of the connection. */
export const identityKey = 'identity'

/** Undefined for a connection that was not made by an authorisation. */
export async function readIdentity (kv: Pick<KeyValueStore, 'get'>): Promise<Identity | undefined> {
  const value = await kv.get(identityKey)
  return Value.Check(Identity, value) ? value : undefined
}

/** Of a connection that was made of tokens: no application is known. */
const accountKey = 'account'

/**
 * The account that the connection belongs to; undefined as long as nobody has asked the
 * marketplace.
 */
export async function readAccountOf (kv: Pick<KeyValueStore, 'get'>): Promise<Account | undefined> {
  const account = (await readIdentity(kv))?.account ?? await kv.get(accountKey)
  return Value.Check(Account, account) ? account : undefined
}

/**
 * Asks whose the stored tokens are, if that is not known: an authorisation by another account is
 * refused then. Not in the connection test, which may be of tokens that are not stored.
 */
export async function rememberAccount (http: HttpClient, kv: KeyValueStore): Promise<void> {
  if (await readAccountOf(kv) !== undefined) return
  try {
    await kv.set(accountKey, parseAccount(await http.json({ method: 'GET', path: 'me' })))
  } catch (error) {
    // It is no part of what the caller has to do, and the next one asks again.
    if (!isAdapterError(error)) throw error
  }
}
