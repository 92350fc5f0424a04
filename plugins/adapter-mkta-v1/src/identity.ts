import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Account } from './account.ts'

/** Whose connection it is, and by which application it was authorised: both are beside the credentials, whose form the specification sets (section 2.3). */
export const Identity = Type.Object({ account: Account, clientId: Type.String({ minLength: 1 }) })
export type Identity = Static<typeof Identity>

/** Where it is kept among the values of the connection. */
export const identityKey = 'identity'

/** Undefined for a connection that was not made by an authorisation. */
export async function readIdentity (kv: Pick<KeyValueStore, 'get'>): Promise<Identity | undefined> {
  const value = await kv.get(identityKey)
  return Value.Check(Identity, value) ? value : undefined
}
