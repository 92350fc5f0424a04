import { AdapterError, AdapterErrorCode, isAdapterError, type AdapterErrorOptions } from '@linker/sdk'
import type { ConnectionSnapshot } from '@linker/sdk/host'

/** The credentials that a call used. The connection may have others by now. */
export interface UsedCredentials {
  connectionId: string
  /** As in `ConnectionSnapshot`. */
  credentialsVersion: string
}

/**
 * A platform refused the credentials of a connection. Only this error may stop a connection. It
 * cannot be made without the version of the credentials, because a refusal of former credentials
 * must stop nothing.
 */
export class CredentialsRefusedError extends AdapterError implements UsedCredentials {
  readonly connectionId: string
  readonly credentialsVersion: string

  constructor (message: string, { connectionId, credentialsVersion }: UsedCredentials, options?: AdapterErrorOptions) {
    super(AdapterErrorCode.authentication, message, options)
    this.connectionId = connectionId
    this.credentialsVersion = credentialsVersion
  }
}

/**
 * Adds to the error of a call the credentials that it is about: those that the adapter used last,
 * or those with which the call began. Other errors stay as they are.
 */
export function withRefused (
  error: unknown,
  { id: connectionId, credentialsVersion }: Pick<ConnectionSnapshot, 'id' | 'credentialsVersion'>
): unknown {
  if (!isAdapterError(error) || error.code !== AdapterErrorCode.authentication) return error
  const { message, status } = error
  const used: unknown = 'credentialsVersion' in error ? error.credentialsVersion : undefined
  const refused = { connectionId, credentialsVersion: typeof used === 'string' ? used : credentialsVersion }
  return new CredentialsRefusedError(message, refused, { cause: error, status })
}

/**
 * Makes the error for one item of an answer, of which an adapter gives the code and a message.
 * Undefined: there is no such code.
 */
export function errorOfItem (code: string, message: string, refused: UsedCredentials): AdapterError | undefined {
  if (code === AdapterErrorCode.authentication) return new CredentialsRefusedError(message, refused)
  const known = Object.values(AdapterErrorCode).find(name => name === code)
  return known === undefined ? undefined : new AdapterError(known, message)
}
