/**
 * Remembers which credentials a platform refused: the connection may have others by the time that
 * the hub handles the failure.
 */
export interface RefusedCredentials {
  connectionId: string
  /** `OpenConnection.credentialsVersion` of the call that failed so. */
  credentialsVersion: string
}

const refused = new WeakMap<object, RefusedCredentials>()

export function noteRefused (error: object, credentials: RefusedCredentials): void {
  refused.set(error, credentials)
}

/** Undefined when it is not known. */
export function refusedBy (error: unknown): RefusedCredentials | undefined {
  return typeof error === 'object' && error !== null ? refused.get(error) : undefined
}
