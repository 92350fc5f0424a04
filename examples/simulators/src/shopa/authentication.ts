import { PlainError, WebserviceError, webserviceError } from './errors.ts'
import type { ResourceName } from './resources.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A webservice key with its permission table. */
export interface Key {
  apiKey: string
  isActive: boolean
  permissions: Partial<Record<ResourceName, readonly Method[]>>
}

/**
 * Throws unless the Basic user name, or the parameter `ws_key`, is the key. Ignores a password. A
 * request without a key gets a bare page, as one whose header a web server has dropped.
 */
export function authenticate (key: Key, authorization: string | undefined, queryKey: string | undefined): void {
  const sent = basicUser(authorization) ?? queryKey
  if (sent === undefined) throw new PlainError(401, '401 Unauthorized')
  if (sent === '') throw webserviceError(401, 17, 'The authentication key is empty')
  if (sent.length !== 32) throw webserviceError(401, 18, 'Invalid authentication key format')
  if (sent !== key.apiKey) {
    throw new WebserviceError(401, [
      { code: 20, message: 'Authentication key is not active' },
      { code: 21, message: 'No permission for this authentication key' }
    ])
  }
  if (Object.keys(key.permissions).length === 0) {
    throw webserviceError(401, 21, 'No permission for this authentication key')
  }
  if (!key.isActive) throw webserviceError(401, 20, 'The authentication key is not active')
}

function basicUser (authorization: string | undefined): string | undefined {
  const encoded = /^Basic +(\S*)$/i.exec(authorization ?? '')?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0]
}
