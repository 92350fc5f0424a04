import type { KeyValueStore } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/**
 * The application that authorised a connection. It is kept beside the credentials, because the
 * specification sets the form of the credentials (section 2.3).
 */
export const Identity = Type.Object({ clientId: Type.String({ minLength: 1 }) })
export type Identity = Static<typeof Identity>

/** The key of the identity among the connection's values. */
export const identityKey = 'identity'

/** Returns undefined for a connection that was not made by an authorisation. */
export async function readIdentity (kv: Pick<KeyValueStore, 'get'>): Promise<Identity | undefined> {
  const value = await kv.get(identityKey)
  return Value.Check(Identity, value) ? value : undefined
}
