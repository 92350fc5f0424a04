import type { Connection } from '../connections/entity.ts'
import { refusal } from '../http/refusal.ts'

type Of = Pick<Connection, 'id' | 'platformType' | 'config'>

/** Path of the webhooks of a connection, below the hub's public address. */
export function callbackPathOf ({ id, platformType }: Pick<Of, 'id' | 'platformType'>): string {
  return `/webhooks/${platformType}/${id}`
}

/**
 * The address to which a platform sends the webhooks of a connection. For every platform, the
 * connection's config holds the hub's public address.
 */
export function callbackUrlOf (connection: Of): string {
  const { callbackBaseUrl } = connection.config
  if (callbackBaseUrl === undefined || callbackBaseUrl === '') {
    throw wrong('required', 'is required: the public address of this hub, at which the platform reaches it')
  }
  const url = typeof callbackBaseUrl === 'string' ? URL.parse(callbackBaseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong('format', 'is not an address such as https://hub.example')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrong('format', 'must have no credentials, no query and no fragment')
  }
  return url.origin + url.pathname.replace(/\/+$/, '') + callbackPathOf(connection)
}

function wrong (code: string, message: string): Error {
  return refusal([{ pointer: '/config/callbackBaseUrl', code, message }])
}
