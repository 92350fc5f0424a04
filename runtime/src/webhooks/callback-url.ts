import type { Connection } from '../connections/entity.ts'
import { refusal } from '../http/refusal.ts'

type CallbackConnection = Pick<Connection, 'id' | 'platformType' | 'config'>

/** Returns the path of a connection's webhooks, to be appended to the hub's public address. */
export function callbackPathOf ({ id, platformType }: Pick<CallbackConnection, 'id' | 'platformType'>): string {
  return `/webhooks/${platformType}/${id}`
}

/**
 * Returns the address to which a platform sends the webhooks of a connection. The public address of
 * the hub is `callbackBaseUrl` in the connection's config, whatever the platform. Throws the 400
 * that names this member when it is missing or cannot be used.
 */
export function callbackUrlOf (connection: CallbackConnection): string {
  const { callbackBaseUrl } = connection.config
  if (callbackBaseUrl === undefined || callbackBaseUrl === '') {
    throw baseUrlRefusal('required', 'is required: it is the public address at which the platform reaches this hub')
  }
  const url = typeof callbackBaseUrl === 'string' ? URL.parse(callbackBaseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw baseUrlRefusal('format', 'is not an address such as https://hub.example')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw baseUrlRefusal('format', 'must have no credentials, no query and no fragment')
  }
  return url.origin + url.pathname.replace(/\/+$/, '') + callbackPathOf(connection)
}

function baseUrlRefusal (code: string, message: string): Error {
  return refusal([{ pointer: '/config/callbackBaseUrl', code, message }])
}
