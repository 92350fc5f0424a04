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
  const found = readCallbackUrl(connection)
  if ('url' in found) return found.url
  throw refusal([{ pointer: '/config/callbackBaseUrl', ...found }])
}

/** Returns the same address, or undefined. */
export function findCallbackUrl (connection: CallbackConnection): string | undefined {
  const found = readCallbackUrl(connection)
  return 'url' in found ? found.url : undefined
}

function readCallbackUrl (connection: CallbackConnection): { url: string } | { code: string, message: string } {
  const { callbackBaseUrl } = connection.config
  if (callbackBaseUrl === undefined || callbackBaseUrl === '') {
    const message = 'is required: it is the public address at which the platform reaches this hub'
    return { code: 'required', message }
  }
  const url = typeof callbackBaseUrl === 'string' ? URL.parse(callbackBaseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { code: 'format', message: 'is not an address such as https://hub.example' }
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return { code: 'format', message: 'must have no credentials, no query and no fragment' }
  }
  return { url: url.origin + url.pathname.replace(/\/+$/, '') + callbackPathOf(connection) }
}
