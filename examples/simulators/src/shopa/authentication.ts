import { webserviceError } from './errors.ts'
import type { ResourceName } from './resources.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A webservice key with its permission table. */
export interface Key {
  apiKey: string
  isActive: boolean
  permissions: Partial<Record<ResourceName, readonly Method[]>>
}

/** Throws unless the Basic user name, or the parameter `ws_key`, is the key. Ignores a password. */
export function authenticate (key: Key, authorization: string | undefined, queryKey: string | undefined): void {
  const sent = basicUser(authorization) ?? queryKey
  if (sent === undefined) {
    throw webserviceError(401, 16, 'Send the authentication key as the user name, without a password')
  }
  if (sent === '') throw webserviceError(401, 17, 'The authentication key is empty')
  if (sent.length !== 32) throw webserviceError(401, 18, 'Invalid authentication key format')
  if (sent !== key.apiKey) throw webserviceError(401, 21, 'No permission for this authentication key')
  if (Object.keys(key.permissions).length === 0) {
    throw webserviceError(401, 21, 'No permission for this authentication key')
  }
  if (!key.isActive) throw webserviceError(401, 20, 'The authentication key is not active')
}

function basicUser (authorization: string | undefined): string | undefined {
  const encoded = /^Basic +(\S*)$/i.exec(authorization ?? '')?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0]
}
