/**
 * Which credentials a platform refused. By the time that the failure is acted on, the connection
 * may have others.
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
